import { RlviError } from 'rlvi'

/** The options of this package that messages speak of. */
export type OptionName =
  | 'target'
  | 'model'
  | 'features'
  | 'exclude'
  | 'intercept'
  | 'components'
  | 'method'
  | 'assumed'
  | 'errors'
  | 'seed'
  | 'strict'
  | 'missing'
  | 'decimal'
  | 'thousands'
  | 'units'
  | 'categories'
  | 'numbers'
  | 'dateParts'
  | 'dateOrder'
  | 'intervals'
  | 'memory'

/**
 * How messages name what the caller gave: this library speaks of its arguments, and a program around it, which hands
 * its own words in, of flags or fields.
 */
export interface Words {
  /** An option, and the value to give it: `model "softmax"`, or `--model softmax`. */
  option(name: OptionName, value?: string | readonly string[]): string
  /** A row by its place in the arrays: `row 3`. */
  row(index: number): string
  /** From what rows are counted, in a sentence that follows where one is named. */
  readonly rowsCount: string
  /** What holds the columns: `table`, or `file`. */
  readonly holder: string
  /** Which one that is: `columns`, or the path of the file. */
  readonly source: string
}

/** The words of who calls this library. */
export const argumentWords: Words = {
  option(name, value) {
    return value === undefined ? name : `${name} ${JSON.stringify(value)}`
  },
  row: (index) => `row ${index}`,
  rowsCount: 'rows count from 0',
  holder: 'table',
  source: 'columns',
}

/** Options that contradict each other, whatever the data are. A command line like that has exit status 2. */
export class OptionError extends RlviError {
  override readonly name: string = 'OptionError'
}

/** What to do about a column that cannot be used. */
export function leaveOut(words: Words, ...columns: string[]): string {
  return `fix the column, or leave it out by ${words.option('exclude', columns)}`
}
