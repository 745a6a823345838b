/** The thousand fits, or a part of them; run by the main thread and by every worker of monte-carlo.ts. */
import { linear, matrix, paper } from 'rlvi'

export const FITS = 1000
export const ROWS = 40
export const COLS = 10

export interface Part {
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly from: number
  readonly to: number
  /** The coefficients of each fit. */
  readonly out: Float64Array
}

export function fitPart({ xs, ys, from, to, out }: Part): void {
  const model = linear({ intercept: false })
  for (let k = from; k < to; k++) {
    const x = matrix(ROWS, COLS, xs.subarray(k * ROWS * COLS, (k + 1) * ROWS * COLS))
    const y = ys.subarray(k * ROWS, (k + 1) * ROWS)
    out.set(paper(model, { x, y }).params.coefficients, k * COLS)
  }
}
