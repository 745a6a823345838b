import { isHeader } from '@rlvi/estimator'
import { type HeaderNames, namesOf } from '@rlvi/io'
import { phrase, RlviError, showList } from 'rlvi'

/** The names of CSV's columns, by its first record; where `hasHeader` denies that it has any, `column1`, `column2`, …. */
export function headerOf(
  where: string,
  given: readonly string[],
  hasHeader: boolean | null,
): Omit<HeaderNames, 'renamed'> {
  if (hasHeader === false) return { names: namesOf(given.map(() => '')).names, index: undefined }
  if (hasHeader === null && !isHeader(given)) {
    const todo =
      'give --header yes where these are names, --header no where they are a row: its columns are column1, column2, …'
    throw new RlviError(
      where,
      'a header with the names of the columns is needed',
      phrase('numbers in it'),
      todo,
    )
  }
  const found = namesOf(given)
  const empty = given.findIndex((cell) => cell.trim() === '')
  if (empty >= 0 && found.names[empty] !== found.index) {
    throw new RlviError(where, 'every column needs a name', phrase(`none for column ${empty + 1}`))
  }
  const seen = new Set<string>()
  const twice = given
    .map((cell) => cell.trim())
    .find((name) => name !== '' && seen.size === seen.add(name).size)
  if (twice !== undefined) throw new RlviError(where, 'every column needs a name of its own', twice)
  return found
}

/** Files that are read one after the other are one table. */
export function checkSameHeader(where: string, header: readonly string[], before: readonly string[]): void {
  if (header.length === before.length && header.every((name, i) => name === before[i])) return
  const rule = `the columns of the input before it, ${showList(before)}, are needed`
  throw new RlviError(where, rule, header)
}
