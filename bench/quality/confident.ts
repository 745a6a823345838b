import { type Matrix, matrix, type Supervised, type softmax, takeRows } from 'rlvi'
import { FOLDS, type Split } from './label-sets.js'

/** The rules of the best-known tool for label errors, on the same model: confident learning (Northcutt et al. 2021). */

type Model = ReturnType<typeof softmax>

export function rowsOf({ x, y }: Supervised, wanted: (row: number) => boolean): Supervised {
  const rows = Array.from(y.keys()).filter(wanted)
  return { x: takeRows(x, rows), y: Float64Array.from(rows, (i) => y[i]) }
}

/** P(class) of each training row from a fit to the other folds. */
export function outOfFold(model: Model, { train, fold, classes }: Split): Matrix {
  const out = matrix(train.y.length, classes)
  for (let k = 0; k < FOLDS; k++) {
    const params = model.fit(rowsOf(train, (i) => fold[i] !== k))
    const held = Array.from(train.y.keys()).filter((i) => fold[i] === k)
    const p = model.predict(takeRows(train.x, held), params)
    held.forEach((row, at) => {
      out.values.set(p.values.subarray(at * classes, (at + 1) * classes), row * classes)
    })
  }
  return out
}

/** The probability of the given label: low where the label is doubtful. */
export function selfConfidence(p: Matrix, y: Float64Array): Float64Array {
  return y.map((label, i) => p.values[i * p.cols + label])
}

/**
 * Rows whose confident class is not their label. A class is confident where its probability is at least the mean
 * self-confidence of the rows with that label; among several, the most probable one.
 */
export function flaggedRows(p: Matrix, y: Float64Array): boolean[] {
  const own = selfConfidence(p, y)
  const thresholds = Array.from({ length: p.cols }, (_, k) => {
    const those = own.filter((_, i) => y[i] === k)
    return those.reduce((sum, value) => sum + value, 0) / those.length
  })
  return Array.from(y, (label, i) => {
    const row = p.values.subarray(i * p.cols, (i + 1) * p.cols)
    const confident = Array.from(row.keys()).filter((k) => row[k] >= thresholds[k])
    if (confident.length === 0) return false
    return confident.reduce((a, b) => (row[b] > row[a] ? b : a)) !== label
  })
}
