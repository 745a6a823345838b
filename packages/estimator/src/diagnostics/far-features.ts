import { type Matrix, show } from 'rlvi'
import type { DesignColumn } from '../encoding/encoding.js'
import type { ModelName } from '../fit/methods.js'
import { middle, ROUGHLY, roughMiddle } from '../fit/units.js'
import type { Words } from '../words.js'

/** So many times as far out as the rows of the middle half are, a value is more likely a slip than a long tail. */
const FAR_OUT = 300
/** More of them are a tail, or a code, that the table has. */
const MOST = 0.01

/**
 * Rows far out in a feature, where the model judges labels or counts and takes features as they are: one of them can decide
 * a coefficient without being flagged. `linear` judges features too.
 */
export function farFeaturesRemark(
  x: Matrix,
  columns: readonly DesignColumn[],
  rows: Int32Array,
  model: ModelName,
  words: Words,
): string | undefined {
  if (model !== 'logistic' && model !== 'softmax' && model !== 'poisson') return undefined
  for (let j = 0; j < x.cols; j++) {
    if (!mayReach(x, j)) continue
    const { centre, scale } = middle(x, j)
    if (scale === 0) continue
    let count = 0
    let farthest = 0
    const far = (i: number): number => Math.abs(x.values[i * x.cols + j]! - centre)
    for (let i = 0; i < x.rows; i++) {
      if (far(i) > FAR_OUT * scale) count++
      if (far(i) > far(farthest)) farthest = i
    }
    if (count === 0 || count > MOST * x.rows) continue
    const judged = model === 'poisson' ? 'counts' : 'labels'
    const times = (far(farthest) / scale).toPrecision(1).replace('e+', 'e')
    const value = x.values[farthest * x.cols + j]!
    const others = count === 1 ? '' : ` (and ${count - 1} more ${count === 2 ? 'row' : 'rows'} far out)`
    return `${words.row(rows[farthest]!)}${others} has ${value} in column ${show(columns[j]!.name)}, about ${times} times as far out as most rows: a model of ${judged} judges the ${judged} and not the features, and such a value can decide a coefficient; check it`
  }
  return undefined
}

/** Whether any value may be far out, by a rough middle half: that of all rows, which decides, costs more. */
function mayReach(x: Matrix, j: number): boolean {
  const { centre, scale } = roughMiddle(x, j)
  if (scale === 0) return true
  const limit = (FAR_OUT / ROUGHLY) * scale
  for (let at = j; at < x.values.length; at += x.cols)
    if (Math.abs(x.values[at]! - centre) > limit) return true
  return false
}
