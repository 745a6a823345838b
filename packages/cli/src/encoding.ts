import type { Labels, Read } from '@rlvi/tables'
import { type Matrix, matrix, sharedMatrix } from 'rlvi'

/** How a column of a file becomes columns of numbers. */
export type Encoding =
  | { readonly name: string; readonly kind: 'number' }
  | {
      readonly name: string
      readonly kind: 'category'
      /** The most frequent value; it has no column of its own. */
      readonly base: string
      /** The other values, sorted, a column of 0 and 1 each. */
      readonly values: readonly string[]
    }

/** A column of the design: its name, and the column of the file that it comes from. */
export interface DesignColumn {
  readonly name: string
  readonly source: string
}

export function designColumns(encodings: readonly Encoding[]): DesignColumn[] {
  return encodings.flatMap((encoding): DesignColumn[] => {
    const source = encoding.name
    if (encoding.kind === 'number') return [{ name: source, source }]
    return encoding.values.map((value) => ({ name: `${source}=${value}`, source }))
  })
}

/** The encoding of a text column: ties for the most frequent value go to the first in sorted order. */
export function categories(name: string, labels: Labels): Encoding {
  let most = 0
  labels.counts.forEach((count, code) => {
    if (count > labels.counts[most]!) most = code
  })
  const values = labels.values.filter((_, code) => code !== most)
  return { name, kind: 'category', base: labels.values[most] ?? '', values }
}

export interface Design {
  readonly x: Matrix
  /** 1 for each row with a value that the encoding has never seen; `undefined` if there is none. */
  readonly unseen: Uint8Array | undefined
  /** The first such value. */
  readonly firstUnseen: { readonly column: string; readonly value: string; readonly row: number } | undefined
}

const UNSEEN = -2

/** The rows that were read, as the encodings say. Without categories the numbers are taken as they lie, uncopied. */
export function design(read: Read, encodings: readonly Encoding[]): Design {
  if (encodings.every((encoding) => encoding.kind === 'number')) {
    return { x: read.matrix, unseen: undefined, firstUnseen: undefined }
  }
  const n = read.rows.length
  const columns = designColumns(encodings).length
  const x = n === 0 ? matrix(0, columns) : sharedMatrix(n, columns)
  let unseen: Uint8Array | undefined
  let firstUnseen: Design['firstUnseen']
  let at = 0
  let number = 0
  for (const encoding of encodings) {
    if (encoding.kind === 'number') {
      copyColumn(read.matrix, number++, x, at++)
      continue
    }
    const { codes, values } = read.labels.get(encoding.name)!
    const places = values.map((value) => (value === encoding.base ? -1 : place(encoding.values, value)))
    for (let i = 0; i < n; i++) {
      const to = places[codes[i]!]!
      if (to >= 0) x.values[i * columns + at + to] = 1
      if (to !== UNSEEN) continue
      unseen ??= new Uint8Array(n)
      unseen[i] = 1
      firstUnseen ??= { column: encoding.name, value: values[codes[i]!]!, row: read.rows[i]! }
    }
    at += encoding.values.length
  }
  return { x, unseen, firstUnseen }
}

function place(values: readonly string[], value: string): number {
  const found = values.indexOf(value)
  return found < 0 ? UNSEEN : found
}

function copyColumn(from: Matrix, j: number, to: Matrix, k: number): void {
  for (let i = 0; i < from.rows; i++) to.values[i * to.cols + k] = from.values[i * from.cols + j]!
}
