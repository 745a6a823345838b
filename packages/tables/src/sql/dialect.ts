import { RlviError } from 'rlvi'

/**
 * What databases write differently: all SQL of a fit is made of plain arithmetic, and of this. A further warehouse is one more
 * file like `clickhouse.ts`.
 */
export interface Dialect {
  /** A name of the user's, whatever is in it. */
  readonly name: (name: string) => string
  /** A text of the user's, whatever is in it. */
  readonly text: (text: string) => string
  /** A column or an expression as a double. */
  readonly double: (sql: string) => string
  /** The larger and the smaller of two doubles. */
  readonly greatest: (a: string, b: string) => string
  readonly least: (a: string, b: string) => string
  /** Logarithms to base e and 2. */
  readonly ln: (sql: string) => string
  readonly log2: (sql: string) => string
  /** log sum e^v, for values of any size. */
  readonly logSumExp: (values: readonly string[], prefix: string) => string
  /** An expression of many values, each of which comes several times in it by its name. */
  readonly bindAll: (
    values: readonly Let[],
    body: string,
  ) => { readonly lets: readonly Let[]; readonly sql: string }
  /** The sum of the squares of values, each of which may be long. */
  readonly sumOfSquares: (values: readonly string[], prefix: string) => string
  /** A whole number of moderate size, from a double that is one. */
  readonly whole: (sql: string) => string
  readonly isNaN: (sql: string) => string
  /** An expression of a value that is used several times in it. */
  readonly bind: (value: string, name: string, body: (value: string) => string) => string
  /** The entry at a place, from 0, of a list of numbers; 0 beyond its end. */
  readonly entry: (list: readonly number[], place: string) => string
  /** An aggregate: the value at a place, from 0, of all `rows` values in their order. */
  readonly ordered: (sql: string, place: number, rows: number) => string
  /** One query over the rows of a table. */
  readonly select: (scan: Scan) => string
  /** One item that holds sum v^p for p from 1 on. */
  readonly powers: (value: string, count: number, prefix: string) => string
  /** One item that holds sum w c_k for all columns. */
  readonly sums: (weight: string, columns: readonly string[], prefix: string) => string
  /**
   * For each column j from `rows[0]` to before `rows[1]` an item that holds sum w c_j c_k, for k from j on; and what the items need
   * to be named before. Where an item repeats what was named, `once` holds all of them behind each other, and says it once.
   */
  readonly products: (
    weight: string,
    columns: readonly string[],
    rows: readonly [number, number],
    prefix: string,
  ) => { readonly lets: readonly Let[]; readonly items: readonly string[]; readonly once?: string }
}

/** A value of each row by a name of ours, which later ones may use. */
export type Let = readonly [name: string, sql: string]

export interface Scan {
  readonly from: string
  /** Which rows count. */
  readonly where: string
  readonly lets: readonly Let[]
  /** Aggregates of the named values. */
  readonly items: readonly string[]
  /** Left out where all rows are one group. */
  readonly groupBy?: string
  /** Of rows as they are: which, by the named values; which come first; and how many. */
  readonly having?: string
  readonly orderBy?: string
  readonly limit?: number
}

/** What follows the table. */
export function tailOf({ groupBy, orderBy, limit }: Scan): string {
  const parts = [
    ...(groupBy === undefined ? [] : [`GROUP BY ${groupBy}`]),
    ...(orderBy === undefined ? [] : [`ORDER BY ${orderBy}`]),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ]
  return parts.map((part) => ` ${part}`).join('')
}

/** A double as SQL reads it, to the last digit: without an exponent it would be a decimal number to some. */
export function number(value: number): string {
  if (!Number.isFinite(value)) throw new RlviError('SQL', 'a finite number is needed', value)
  const text = value.toExponential()
  return value < 0 ? `(${text})` : text
}

/** -v. A sign before a sign would begin a remark once a server of a cluster has written the query anew for the others. */
export function minus(sql: string): string {
  return `(${number(0)} - ${sql})`
}

/** One of two values. */
export function choose(condition: string, yes: string, no: string): string {
  return `CASE WHEN ${condition} THEN ${yes} ELSE ${no} END`
}

/** v, v v, v v v, … */
export function powersOf(value: string, count: number): string[] {
  return Array.from({ length: count }, (_, p) =>
    Array(p + 1)
      .fill(value)
      .join(' * '),
  )
}

/** a + b + …, in a tree that is as flat as can be: databases go down into expressions by recursion. */
export function sum(terms: readonly string[]): string {
  if (terms.length === 0) return number(0)
  if (terms.length === 1) return terms[0]!
  const half = terms.length >> 1
  return `(${sum(terms.slice(0, half))} + ${sum(terms.slice(half))})`
}

/** c_0 v_0 + c_1 v_1 + …, and a constant. */
export function dot(coefficients: ArrayLike<number>, values: readonly string[], constant = 0): string {
  const terms = values.flatMap((value, j) =>
    coefficients[j] === 0 ? [] : [`${number(coefficients[j]!)} * ${value}`],
  )
  return sum(constant === 0 && terms.length > 0 ? terms : [number(constant), ...terms])
}

/** A name that begins like none of the given ones, to begin names of ours with. */
export function freshPrefix(names: readonly string[]): string {
  let prefix = 'rlvi_'
  while (names.some((name) => name.toLowerCase().startsWith(prefix))) prefix += '_'
  return prefix
}
