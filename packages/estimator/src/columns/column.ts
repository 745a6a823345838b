import { type Matrix, phrase, RlviError, show } from 'rlvi'
import type { DateOrder } from './dates.js'

/**
 * Numbers: NaN or `null` where one is missing. `{ matrix, column }` is a column of a matrix as it lies; where the
 * features are the columns of one matrix in order, the fit works on it without a copy.
 */
export type NumberColumn =
  | NumberArray
  | readonly (number | null)[]
  | { readonly matrix: Matrix; readonly column: number }

type NumberArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array

/**
 * Texts: `null` where one is missing; or codes, row i having `values[codes[i]]`, and -1 where one is missing. With `asText`
 * whoever wrote them meant texts, by a type or by quotes: a word among numbers is then no mistake.
 */
export type TextColumn =
  | readonly (string | null)[]
  | {
      readonly codes: Int32Array
      readonly values: readonly string[]
      readonly asText?: boolean
      readonly whole?: WholeTexts
    }

/** What all rows of a table say of a column of texts, where a part of them stands for the table. */
export interface WholeTexts {
  /** Rows with a value, and how many different ones they have. */
  readonly there: number
  readonly different: number
  /** How many rows have each of `values`; left out where there are too many. */
  readonly counts?: readonly number[]
  /** The same of the rows that miss nothing, where that is known. */
  readonly complete?: readonly number[]
}

/** True and false, which are the texts `true` and `false` wherever a name is needed. */
export type BooleanColumn = readonly (boolean | null)[]

/** A column of a table. */
export type Column = NumberColumn | TextColumn | BooleanColumn

/** A table: its columns by name, all of one length. A `Map` keeps names like `2` in their place. */
export type Columns = Readonly<Record<string, Column>> | ReadonlyMap<string, Column>

/** Numbers with a step between them, NaN where one is missing. */
export interface Numbers {
  readonly kind: 'number'
  readonly length: number
  readonly values: Float64Array
  readonly offset: number
  readonly stride: number
}

/** Texts by their codes, -1 where one is missing. */
export interface Texts {
  readonly kind: 'text'
  readonly length: number
  readonly codes: Int32Array
  readonly values: readonly string[]
  /** Whether their writer says that they are texts. */
  readonly asText: boolean
  /** Where these rows are a part of a table: what all of them say. */
  readonly whole?: WholeTexts
}

/** Dates as days since the beginning of 1970, NaN where one is missing. */
export interface Dates extends Omit<Numbers, 'kind'> {
  readonly kind: 'date'
  /** How they were written. */
  readonly order: DateOrder
  /** Whether some have years of two digits. */
  readonly hasShortYears?: boolean
  /** In how many digits, where they are written in digits alone. */
  readonly digits?: number
  /** Where these rows are a part of a table: all of its dates, and how many rows have each. */
  readonly whole?: { readonly days: Float64Array; readonly counts: readonly number[] }
}

/** A column by what it holds. */
export type Typed = Numbers | Texts | Dates

export function columnNames(columns: Columns): string[] {
  return isMap(columns) ? [...columns.keys()] : Object.keys(columns)
}

/** The column of a name that is there. */
export function columnOf(columns: Columns, name: string): Numbers | Texts {
  return takeColumn(name, isMap(columns) ? columns.get(name)! : columns[name]!)
}

function isMap(columns: Columns): columns is ReadonlyMap<string, Column> {
  return columns instanceof Map
}

/** A column in one of the two forms that the work is done in. */
export function takeColumn(name: string, column: Column): Numbers | Texts {
  if (column instanceof Float64Array) return numbers(column)
  if (Array.isArray(column)) return fromArray(name, column)
  if (ArrayBuffer.isView(column)) return numbers(Float64Array.from(column as NumberArray))
  if (typeof column === 'object' && column !== null && 'codes' in column) return coded(name, column)
  if (typeof column === 'object' && column !== null && 'matrix' in column) return ofMatrix(name, column)
  throw unusable(name, column)
}

function coded(
  name: string,
  { codes, values, asText = false, whole }: Extract<TextColumn, { codes: Int32Array }>,
): Texts {
  const odd = codes.findIndex((code) => code < -1 || code >= values.length)
  if (odd >= 0) {
    const rule = `codes of its ${values.length} values are needed, or -1 for a missing one`
    throw new RlviError(`column ${show(name)}`, rule, phrase(`${codes[odd]} in row ${odd}`))
  }
  const all = whole === undefined ? {} : { whole }
  return { kind: 'text', length: codes.length, codes, values, asText, ...all }
}

function ofMatrix(name: string, { matrix, column }: Extract<NumberColumn, { matrix: Matrix }>): Numbers {
  const { rows, cols, values } = matrix
  if (!(Number.isInteger(column) && column >= 0 && column < cols)) {
    const rule = `a column of its matrix, from 0 to ${cols - 1}, is needed`
    throw new RlviError(`column ${show(name)}`, rule, column)
  }
  return { kind: 'number', length: rows, values, offset: column, stride: cols }
}

export function numbers(values: Float64Array): Numbers {
  return { kind: 'number', length: values.length, values, offset: 0, stride: 1 }
}

/** The first value that is there says what the column holds; a column of none holds numbers. */
function fromArray(name: string, list: readonly unknown[]): Numbers | Texts {
  const first = list.find((value) => value !== null && value !== undefined)
  const kind = first === undefined ? 'number' : typeof first
  if (kind !== 'number' && kind !== 'string' && kind !== 'boolean') throw unusable(name, first)
  const odd = list.findIndex((value) => value !== null && value !== undefined && typeof value !== kind)
  if (odd >= 0) {
    const got = phrase(`${show(first)} and, in row ${odd}, ${show(list[odd])}`)
    throw new RlviError(`column ${show(name)}`, 'values of one type are needed', got)
  }
  if (kind === 'number') return numbers(Float64Array.from(list, (value) => (value as number) ?? Number.NaN))
  const known = new Map<string, number>()
  const codes = Int32Array.from(list, (value) => {
    if (value === null || value === undefined) return -1
    const text = String(value)
    if (!known.has(text)) known.set(text, known.size)
    return known.get(text)!
  })
  return { kind: 'text', length: codes.length, codes, values: [...known.keys()], asText: false }
}

function unusable(name: string, got: unknown): RlviError {
  return new RlviError(`column ${show(name)}`, 'numbers, texts or true and false are needed', got)
}

/** All columns have as many rows as the first. */
export function checkLengths(columns: readonly { name: string; data: Typed }[]): number {
  const rows = columns[0]?.data.length ?? 0
  for (const { name, data } of columns) {
    if (data.length !== rows)
      throw new RlviError(`column ${show(name)}`, `${rows} values are needed like in the others`, data.length)
  }
  return rows
}
