import type { Matrix } from '../../matrix.js'

/** Rows of a table in which every row occurs equally often, more than once. */
export interface Copies {
  readonly times: number
  /** One row of each kind. */
  readonly distinct: Int32Array
  /** Of each row, which of the distinct ones it is. */
  readonly kind: Int32Array
}

/**
 * Whether a table is copies of a smaller one, as when a file was read twice. Copies bring no knowledge, but a likelihood would
 * take them for more rows and find structure in the noise that they share. Rows that only sometimes repeat are left
 * alone: on a coarse scale they do.
 */
export function copiesOf<D>(data: D): Copies | undefined {
  const columns = columnsOf(data)
  // A table whose first rows are all different, and more than half of it, is no copies.
  const kinds = columns && kindsOf(columns.x, columns.y, columns.x.rows / 2)
  if (kinds === undefined) return undefined
  const { kind, first: distinct, counts } = kinds
  const [times] = counts
  return times > 1 && counts.every((count) => count === times)
    ? { times, distinct: Int32Array.from(distinct), kind }
    : undefined
}

/** Rows that are alike, by kind. */
export interface Kinds {
  /** Of each row, which kind it is of. */
  readonly kind: Int32Array
  /** Of each kind, its first row and how many there are. */
  readonly first: readonly number[]
  readonly counts: readonly number[]
}

/** Which rows are alike in all features, and in their response where there is one; undefined where there are more kinds than `most`. */
export function kindsOf(x: Matrix, y: Float64Array | undefined, most: number): Kinds | undefined {
  const kinds = new Map<string, number>()
  const first: number[] = []
  const counts: number[] = []
  const kind = new Int32Array(x.rows)
  for (let i = 0; i < x.rows; i++) {
    const row = x.values.subarray(i * x.cols, (i + 1) * x.cols)
    const key = `${row.join()};${y?.[i] ?? ''}`
    let number = kinds.get(key)
    if (number === undefined) {
      number = first.length
      if (number >= most) return undefined
      kinds.set(key, number)
      first.push(i)
      counts.push(0)
    }
    counts[number]++
    kind[i] = number
  }
  return { kind, first, counts }
}

function columnsOf(data: unknown): { readonly x: Matrix; readonly y?: Float64Array } | undefined {
  return typeof data === 'object' && data !== null && 'x' in data
    ? (data as { readonly x: Matrix; readonly y?: Float64Array })
    : undefined
}
