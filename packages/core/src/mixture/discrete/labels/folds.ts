import type { Discrete } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'

export const FOLDS = 3
/** Factors of the linear predictor: a fit to few rows for each coefficient is too soft, or too sharp, by one of them. */
export const SHARPNESS: readonly number[] = [0.4, 0.55, 0.7, 0.85, 1, 1.2, 1.45, 1.75, 2.2, 3, 4.5]

/** Rows that a fit to the others judges. */
export interface Fold<D> {
  readonly rows: readonly number[]
  readonly held: D
  readonly train: D
}

/** Every third row by its loss in a fit: folds that no order of rows changes. */
export function foldsOf<D, P extends Params>(likelihood: Discrete<D, P>, data: D, params: P): Uint8Array {
  const losses = new Float64Array(likelihood.rows(data))
  likelihood.losses(data, params, losses)
  const order = Uint32Array.from(losses.keys()).sort((a, b) => losses[a] - losses[b])
  const fold = new Uint8Array(losses.length)
  order.forEach((row, rank) => {
    fold[row] = rank % FOLDS
  })
  return fold
}

export function split<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  fold: Uint8Array,
  k: number,
): Fold<D> {
  const all = Array.from(fold.keys())
  const rows = all.filter((i) => fold[i] === k)
  const others = all.filter((i) => fold[i] !== k)
  return { rows, held: likelihood.take(data, rows), train: likelihood.take(data, others) }
}

/** The model with a linear predictor so many times as large. */
export function sharpened<D, P extends Params>(likelihood: Discrete<D, P>, params: P, factor: number): P {
  if (factor === 1) return params
  return likelihood.unflatten(likelihood.vector(params).map((v) => factor * v)) as unknown as P
}

/** The levels about one that are as probable as is wanted, by a function that is concave. */
export function intervalOf(
  valueAt: (level: number) => number,
  level: number,
  wanted: number,
): readonly [number, number] {
  const edge = (outside: number): number => {
    if (valueAt(outside) >= wanted) return outside
    let [yes, no] = [level, outside]
    while (Math.abs(yes - no) > 1e-6) {
      const middle = (yes + no) / 2
      if (valueAt(middle) >= wanted) yes = middle
      else no = middle
    }
    return yes
  }
  return [edge(0), edge(1)]
}

/** From the lowest end to the highest. */
export function union(intervals: ReadonlyArray<readonly [number, number]>): readonly [number, number] {
  return [Math.min(...intervals.map(([low]) => low)), Math.max(...intervals.map(([, high]) => high))]
}
