import { type Matrix, matrix, phrase, RlviError } from 'rlvi'
import type { Dialect, Let } from './dialect.js'
import type { RowsSql } from './models.js'

/** A value that a database answers with; null for what is no number. */
export type Answer = number | string | null | readonly (number | null)[]

/** The rows of a design in a database. */
export interface SqlRows {
  readonly dialect: Dialect
  /** What stands behind FROM. */
  readonly from: string
  /** Which rows count. */
  readonly where: string
  /** What names of ours begin with: no column does. */
  readonly prefix: string
  /** The columns of the design. */
  readonly x: readonly string[]
  /** The response; of labels their place among the classes. Left out where there is none. */
  readonly y?: string
  /** How many rows count: another number in any scan is an error. */
  readonly rows: number
  /** Nearly the mean of each column. */
  readonly centre: Float64Array
  ask(sql: string): Promise<readonly (readonly Answer[])[]>
}

/** Names of ours for what a design has, and what they stand for. */
export function namesOf({ dialect, prefix, x, y }: SqlRows): {
  readonly names: RowsSql
  readonly lets: readonly Let[]
} {
  const names = { dialect, prefix, x: x.map((_, j) => `${prefix}x${j}`), y: `${prefix}y` }
  const own = x.map((sql, j): Let => [names.x[j]!, sql])
  return { names, lets: y === undefined ? own : [...own, [names.y, y]] }
}

/** An answer from part of the rows is none. */
export function checkRows({ rows }: Pick<SqlRows, 'rows'>, found: number): void {
  if (found === rows) return
  const todo = 'did the table change, or is a part of it out of reach? try again'
  throw new RlviError('scan', `all ${rows} rows are needed`, phrase(`${found} rows`), todo)
}

/** The symmetric matrix of which row j comes from its diagonal on. */
export function triangle(rows: readonly Answer[], size: number): Matrix {
  const out = matrix(size, size)
  rows.forEach((row, j) => {
    numbersOf(row).forEach((value, k) => {
      out.values[j * size + j + k] = value
      out.values[(j + k) * size + j] = value
    })
  })
  return out
}

export function numberOf(value: Answer): number {
  return value === null ? Number.NaN : Number(value)
}

export function numbersOf(values: Answer): number[] {
  return Array.isArray(values) ? values.map(numberOf) : [numberOf(values)]
}
