/** Names that people have for encodings, and the standard has not. */
const otherNames: Readonly<Record<string, string>> = {
  'latin-1': 'latin1',
  'iso-latin-1': 'latin1',
  utf16: 'utf-16le',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  'utf8-sig': 'utf-8',
  'utf-8-sig': 'utf-8',
  'mac-roman': 'macintosh',
}

/** The encoding that goes by a name, by the name that the Encoding Standard has for it; undefined where there is none. */
export function encodingNamed(name: string): string | undefined {
  const plain = name.trim().toLowerCase().replaceAll('_', '-')
  for (const label of [otherNames[plain] ?? plain, name]) {
    try {
      return new TextDecoder(label).encoding
    } catch {
      // Another spelling may be known.
    }
  }
  return undefined
}
