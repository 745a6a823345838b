import type { Column } from '../table.js'

/** How to open a text file. */
export interface TextOptions {
  /** The sign between values; without it the header says which. */
  readonly delimiter?: string | undefined
  /** Whether the first line names the columns; without it the line says so by what it holds. */
  readonly header?: boolean | undefined
  /** Lines above the header that are left out; without it those that are no part of the table, such as a title. */
  readonly skip?: number | undefined
  /** How letters are written, such as `latin1`; without it UTF-8, and what the first bytes say. */
  readonly encoding?: string | undefined
}

/** A file as DuckDB reads it. */
export interface Source {
  /** What stands behind FROM, with column number j of `columns` called `c<j>`. */
  readonly from: string
  readonly columns: readonly Column[]
  /** Of a text file. */
  readonly doubles?: Doubles
  /** Of a text file: the line that names the columns. */
  readonly header?: string
  /** What a person should know of how it was read. */
  readonly remarks: readonly string[]
}

/** A text file of which some columns are read as doubles at once: that is quicker, and an error where one of them has a word. */
export interface Doubles {
  /** What stands behind FROM, where the columns of these names, `c<j>`, are doubles. */
  from(columns: ReadonlySet<string>): string
  /** Whether some digits are parted as in 1_000, a number to DuckDB and to nobody else. Among doubles it would not be seen. */
  hasParted(): Promise<boolean>
}
