import type { Params } from '../../../likelihoods/likelihood.js'
import { middleHalf } from '../../../linalg/middle-half.js'
import { columnOf, type Matrix, matrix } from '../../../matrix.js'
import type { Caution, Fit } from '../../../result.js'
import type { Labelled } from './labelled.js'
import { allowForView, type Explained, type View, type WithFeatures } from './other-view.js'

/** Rows farther out than so many scales in the mean over the columns are far; less than this share of them changes nothing. */
const FAR = 3
const SHARE = 0.01
/** Rows are drawn in to about this distance, where they would lie farthest out. */
const TURN = 2

const SCATTER: Caution = {
  about: 'level',
  message:
    'rows far out in the features have labels that no border explains, and are explained better if they are drawn in: classes that scatter far look like wrong labels, and all labels may be right',
}

/**
 * Of classes that scatter far, rows far out may be of any class, while a linear border is the surer of its label the farther out
 * a row lies: right labels look wrong there. Where the same rows, drawn in, are explained better by fewer wrong labels,
 * the interval begins at 0 and a caution says why.
 */
export function allowForScatter<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  fit: Fit<P>,
  known?: Explained<P>,
): Fit<P> {
  const view = (_: unknown, { x }: WithFeatures): View | undefined => {
    const drawn = drawnIn(x)
    return drawn && { x: drawn, caution: SCATTER }
  }
  return allowForView(likelihood, data, fit, view, known)
}

/** The rows with those far out drawn in, in scales of the quartiles; undefined where few are far out. */
function drawnIn(x: Matrix): Matrix | undefined {
  const { rows, cols } = x
  const out = matrix(rows, cols)
  for (let j = 0; j < cols; j++) {
    const column = columnOf(x, j)
    const { centre, scale } = middleHalf(column)
    for (let i = 0; i < rows; i++)
      out.values[i * cols + j] = scale > 0 ? (column[i] - centre) / scale : column[i] - centre
  }
  let far = 0
  for (let i = 0; i < rows; i++) {
    const row = out.values.subarray(i * cols, (i + 1) * cols)
    const square = row.reduce((sum, z) => sum + z * z, 0) / cols
    if (square > FAR * FAR) far++
    for (let j = 0; j < cols; j++) row[j] /= 1 + square / (TURN * TURN)
  }
  return far < SHARE * rows ? undefined : out
}
