import { fields } from './csv.js'

const delimiters = [',', ';', '\t', '|']

/**
 * The sign that parts the values of CSV, by its first lines: the most frequent in the header, outside of quotes; a comma if
 * there is none. Where more lines are known, only a sign that parts all of them alike; a comma may stand before decimals, so
 * another such sign goes before it, and of several that which parts most. Spaces count where there is no other sign.
 */
export function delimiterOf(lines: readonly string[]): string {
  const [header = '', ...others] = withWholeHeader(lines.filter((line) => line.trim() !== ''))
  // What stands in quotes parts nothing, wherever in a value they begin.
  const bare = unquoted(header)
  const candidates = delimiters.filter((sign) => bare.includes(sign))
  const even = candidates.filter((sign) => {
    const width = fields(header, sign).length
    return width > 1 && others.every((line) => fields(line, sign).length === width)
  })
  if (others.length > 0 && even.length > 1)
    return widest(
      header,
      even.filter((sign) => sign !== ','),
    )
  if (others.length > 0 && even.length === 1) return even[0]!
  return candidates.length === 0 && isSpaced(header, others) ? ' ' : mostFrequent(header)
}

/** A name in quotes may go on in the next lines: its header ends where the quote does. A quote that soon ends nowhere is a sign like others. */
function withWholeHeader(lines: readonly string[]): readonly string[] {
  const isOpen = (text: string): boolean => text.split('"').length % 2 === 0
  if (!isOpen(lines[0] ?? '')) return lines
  for (let end = 2; end <= Math.min(MOST_HEADER_LINES, lines.length); end++) {
    const header = lines.slice(0, end).join('\n')
    if (!isOpen(header)) return [header, ...lines.slice(end)]
  }
  return lines
}

const MOST_HEADER_LINES = 20

/** The sign that parts a line most often: another one may stand once in each value of a column, as between two ids. */
function widest(line: string, signs: readonly string[]): string {
  const width = (sign: string): number => fields(line, sign).length
  return signs.reduce((best, sign) => (width(sign) > width(best) ? sign : best))
}

/** Spaces part the values where nothing else does; R's write.table leaves the first of the header out. */
function isSpaced(header: string, others: readonly string[]): boolean {
  const width = fields(header, ' ').length
  const widths = new Set(others.map((line) => fields(line, ' ').length))
  const [only = 0] = widths
  return widths.size === 1 && only > 1 && (width === only || width === only - 1)
}

function mostFrequent(header: string): string {
  const bare = unquoted(header)
  let best = ','
  for (const sign of delimiters) {
    if (bare.split(sign).length > bare.split(best).length) best = sign
  }
  return best
}

function unquoted(line: string): string {
  return line.replaceAll(/"[^"]*"/g, '')
}
