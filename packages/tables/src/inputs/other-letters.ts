import { firstBytes } from './files.js'

/** Enough of a file to see what its letters are. */
const BYTES = 65_536
/** Bytes that stand for nothing in windows-1252. */
const UNKNOWN = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** What is written elsewhere than in the west of Europe. */
const ENCODINGS = [
  'windows-1250',
  'windows-1254',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'windows-1251',
  'windows-1253',
  'windows-1255',
  'windows-1256',
] as const

/**
 * What the first words of a file would be in other encodings, for its reader to choose, where most of its letters stand side by
 * side as those of the west do not (café, Müller), or have bytes that are no letters there; '' elsewhere. Many are possible, and
 * none can be told from another without knowing the language.
 */
export async function otherLetters(file: string): Promise<string> {
  const bytes = await firstBytes(file, BYTES)
  if (!isForeign(bytes)) return ''
  const found = ENCODINGS.flatMap((encoding) => {
    const word = firstWordIn(bytes, encoding)
    return word === undefined ? [] : `${encoding} makes it “${word}”`
  })
  const first = firstWordIn(bytes, 'windows-1252')
  const begins = first === undefined ? '' : `, where it has “${first}”`
  return found.length === 0 ? '' : `${begins}: ${found.join(', ')}`
}

function isForeign(bytes: Buffer): boolean {
  // A sign within a word is a letter elsewhere.
  if (/[A-Za-z][\xa3\xa5\xaf\xb3\xb9\xba\xbc\xbe\xbf][A-Za-z]/.test(bytes.toString('latin1'))) return true
  let [high, beside] = [0, 0]
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i]! < 0x80) continue
    if (UNKNOWN.has(bytes[i]!)) return true
    high++
    if ((bytes[i - 1] ?? 0) >= 0x80 || (bytes[i + 1] ?? 0) >= 0x80) beside++
  }
  return 2 * beside > high
}

/** Letters that a text of such an encoding would hardly have: of private use, unassigned, controls, half of a width. */
const unlikely = /[^\P{C}\n\r\t]|[\uff61-\uff9f]/u
const elsewhere = /(?!\p{sc=Latin})\p{L}/u
const LONGEST = 12

/** The first word with other letters than those of English; undefined where the bytes are no likely text. */
function firstWordIn(bytes: Buffer, encoding: string): string | undefined {
  let text: string
  try {
    // The last letter may be cut in two.
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
  if (encoding !== 'windows-1252' && unlikely.test(text)) return undefined
  const word = text.split(/[\s,;|"']+/).find((part) => /[^\0-\x7f]/.test(part))
  // Nobody writes letters of two kinds in one word.
  if (
    word === undefined ||
    (encoding !== 'windows-1252' && /\p{sc=Latin}/u.test(word) && elsewhere.test(word))
  )
    return undefined
  return word.replaceAll(/\p{C}/gu, '\ufffd').slice(0, LONGEST)
}
