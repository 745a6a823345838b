import { numberOf } from '@rlvi/estimator'
import { phrase, RlviError, show } from 'rlvi'

/** The names of CSV's columns. */
export function checkHeader(where: string, cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim())
  if (names.every((name) => name !== '' && typeof numberOf(name) === 'number')) {
    throw new RlviError(where, 'a header with the names of the columns is needed', phrase('numbers alone'))
  }
  const empty = names.indexOf('')
  if (empty >= 0) {
    throw new RlviError(where, 'every column needs a name', phrase(`none for column ${empty + 1}`))
  }
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new RlviError(where, 'every column needs a name of its own', twice)
  return names
}

/** Files that are read one after the other are one table. */
export function checkSameHeader(where: string, header: readonly string[], before: readonly string[]): void {
  if (header.length === before.length && header.every((name, i) => name === before[i])) return
  const rule = `the columns of the input before it, ${before.map(show).join(', ')}, are needed`
  throw new RlviError(where, rule, header)
}
