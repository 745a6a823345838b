import { type Matrix, matrix } from '../matrix.js'
import type { OnlineModel } from '../online/models/model.js'
import type { OnlineBatch } from '../online/result.js'
import { type Draws, draws } from '../random/draws.js'

/** What the laws need to know of a model beyond its interface. */
export interface LawfulOnlineModel {
  readonly model: OnlineModel
  /** A valid response at a linear score, which is standard normal: f itself, say, or a Poisson count of mean e^f. */
  response(f: number, random: Draws): number
  /**
   * For a response that is a number: the least and the largest value that counts, and the spacing of the grid (1 for
   * counts). The densities must add up to 1 over it, up to `missing`, which is 1e-9 unless given.
   */
  readonly support?: { readonly from: number; readonly to: number; readonly step: number }
  readonly missing?: number
}

export const FEATURES = 5

/** 24 batches of 40 rows: long enough for drift detection to be at work. */
export function someBatches({ response }: LawfulOnlineModel): OnlineBatch[] {
  const random = draws('online-model', 'batches')
  return Array.from({ length: 24 }, () => someRows(40, response, random))
}

export function someRows(rows: number, response: LawfulOnlineModel['response'], random: Draws): OnlineBatch {
  const x = matrix(rows, FEATURES, normals(rows * FEATURES, random))
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const [a, b] = x.values.subarray(i * FEATURES, i * FEATURES + 2)
    return response((a - b) / Math.SQRT2, random)
  })
  return { x, y }
}

export function normals(n: number, random: Draws): Float64Array {
  return Float64Array.from({ length: n }, () => random.normal())
}

export function mapped(x: Matrix, value: (row: number, column: number) => number): Matrix {
  const values = x.values.map((_, at) => value(Math.floor(at / x.cols), at % x.cols))
  return matrix(x.rows, x.cols, values)
}
