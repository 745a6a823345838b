import { type Matrix, matrix } from '../matrix.js'
import type { OnlineModel } from '../online/models/model.js'
import type { OnlineBatch } from '../online/result.js'
import { type Draws, draws } from '../random/draws.js'

/** A grid of responses beyond which the density has nothing left. */
export interface ResponseGrid {
  readonly from: number
  readonly to: number
  /** 1 for counts, a small number for others. */
  readonly step: number
  /** The part of the reference, which may have a heavy tail, that lies beyond. Default 0. */
  readonly tail?: number
}

/** What the laws need to know of a model beyond its interface. */
export interface LawfulOnlineModel {
  readonly model: OnlineModel
  /** A valid response at a linear score, which is standard normal: f itself, say, or a Poisson count of mean e^f. */
  response(f: number, random: Draws): number
  /** For a response that is a number: where its density is looked at. Without it that it adds up to 1 is not. */
  readonly support?: ResponseGrid
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
