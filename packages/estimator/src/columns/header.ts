import { cells } from './cells.js'

const withPoint = cells()
const withComma = cells({ decimal: ',' })

/**
 * Whether the first record of CSV names the columns. Numbers are no names, unless they are whole and rise in equal steps,
 * as years and the counts of a program do.
 */
export function isHeader(first: readonly string[]): boolean {
  const found = first.flatMap((cell) => {
    const numbers = [withPoint, withComma].map(({ numberOf }) => numberOf(cell))
    return numbers.find((number) => typeof number === 'number') ?? []
  })
  if (found.length === 0) return true
  if (found.some((number) => !Number.isInteger(number))) return false
  const step = found.length > 1 ? found[1]! - found[0]! : 1
  return step > 0 && found.every((number, i) => number === found[0]! + i * step)
}
