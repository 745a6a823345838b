import { cells } from '@rlvi/estimator'
import { type HeaderNames, namesOf } from '@rlvi/io'
import { phrase, RlviError, showList } from 'rlvi'

const { numberOf } = cells()

/** The names of CSV's columns. */
export function checkHeader(where: string, given: readonly string[]): HeaderNames {
  if (given.every((cell) => cell.trim() !== '' && typeof numberOf(cell) === 'number')) {
    throw new RlviError(where, 'a header with the names of the columns is needed', phrase('numbers alone'))
  }
  const found = namesOf(given)
  const empty = given.findIndex((cell) => cell.trim() === '')
  if (empty >= 0 && found.names[empty] !== found.index) {
    throw new RlviError(where, 'every column needs a name', phrase(`none for column ${empty + 1}`))
  }
  const bare = given.map((cell) => cell.trim())
  const twice = bare.find((name, i) => name !== '' && bare.indexOf(name) < i)
  if (twice !== undefined) throw new RlviError(where, 'every column needs a name of its own', twice)
  return found
}

/** Files that are read one after the other are one table. */
export function checkSameHeader(where: string, header: readonly string[], before: readonly string[]): void {
  if (header.length === before.length && header.every((name, i) => name === before[i])) return
  const rule = `the columns of the input before it, ${showList(before)}, are needed`
  throw new RlviError(where, rule, header)
}
