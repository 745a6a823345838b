import { type Matrix, matrix, RlviError } from 'rlvi'
import { fitModel } from '../fit/models.js'
import { checkFitOptions, type FitTableOptions } from '../fit/options.js'
import type { TableFit } from '../fit/table-fit.js'
import { predictions } from '../predict/predictions.js'
import { argumentWords } from '../words.js'
import { throughHabits } from './habits.js'

/** How labels are judged out of fold. */
export interface OutOfFoldOptions
  extends Pick<FitTableOptions, 'method' | 'assumed' | 'intercept' | 'seed' | 'target'> {
  /** Parts of the rows, each judged by a fit to the others. Default 5. */
  readonly folds?: number
  readonly onProgress?: (share: number) => void
}

/** What fits to other rows say of each row's label; where wrong labels have habits, with what those say of it. */
export interface OutOfFoldLabels {
  /** The most probable class of each row, by its place among the classes, and how probable it is. */
  readonly suggested: Int32Array
  readonly probability: Float64Array
  /** Minus the log of the probability of the row's own label. */
  readonly losses: Float64Array
}

/**
 * Judges the labels of a fitted table by fits that have not seen them: the rows are cut into folds, class by class, and each
 * fold is predicted by a fit, of the same model and method, to the others.
 *
 * @example
 * const columns = { size: [1, 2, 3, 4, 11, 12, 13, 14], kind: ['a', 'a', 'b', 'a', 'b', 'b', 'b', 'b'] }
 * const fit = fitTable(columns, { target: 'kind', method: 'ml' })
 * const { suggested } = judgeOutOfFold(fit, { target: 'kind', method: 'ml', folds: 4 })
 */
export function judgeOutOfFold(fit: TableFit, options: OutOfFoldOptions = {}): OutOfFoldLabels {
  const { folds = 5, onProgress, ...rest } = options
  const classes = fit.response?.classes
  if (fit.response === undefined || classes === undefined)
    throw new RlviError('judgeOutOfFold', 'a fit of labels is needed', fit.model.fitted.model)
  const { x } = fit.design
  const { y } = fit.response
  const { habits } = fit.corruption
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= y.length))
    throw new RlviError('folds', `a whole number from 2 to ${y.length} is needed`, folds)
  const settings = checkFitOptions({ target: fit.response.name, ...rest }, argumentWords)
  const fold = foldsOf(y, classes.length, folds)
  const n = y.length
  const out = {
    suggested: new Int32Array(n),
    probability: new Float64Array(n),
    losses: new Float64Array(n),
  }
  for (let k = 0; k < folds; k++) {
    const held = rowsWhere(fold, (own) => own === k)
    const others = rowsWhere(fold, (own) => own !== k)
    const labels = Float64Array.from(others, (i) => y[i]!)
    const { fitted } = fitModel(fit.model.fitted.model, taken(x, others), labels, classes, settings)
    const p = probabilitiesOf(predictions(fitted, taken(x, held)), classes.length)
    held.forEach((row, at) => {
      const seen = p.subarray(at * classes.length, (at + 1) * classes.length)
      const own = habits === undefined ? seen : throughHabits(seen, y[row]!, habits)
      const best = own.indexOf(Math.max(...own))
      out.suggested[row] = best
      out.probability[row] = own[best]!
      out.losses[row] = -Math.log(Math.max(own[y[row]!]!, LEAST))
    })
    onProgress?.((k + 1) / folds)
  }
  return out
}

/** A probability may round to 0, whose logarithm is not finite. */
const LEAST = 1e-300

/** Every class is spread over the folds, in turn. */
function foldsOf(y: ArrayLike<number>, classes: number, folds: number): Int32Array {
  // Classes begin at different folds, so that the last ones are not always the smaller.
  const next = Int32Array.from({ length: classes }, (_, k) => k % folds)
  return Int32Array.from(y, (label) => {
    const own = next[label]!
    next[label] = (own + 1) % folds
    return own
  })
}

function rowsWhere(fold: Int32Array, keep: (own: number) => boolean): number[] {
  const rows: number[] = []
  for (const [i, own] of fold.entries()) if (keep(own)) rows.push(i)
  return rows
}

function taken({ cols, values }: Matrix, rows: readonly number[]): Matrix {
  const out = matrix(rows.length, cols)
  for (const [at, i] of rows.entries()) out.values.set(values.subarray(i * cols, (i + 1) * cols), at * cols)
  return out
}

/** rows x classes, of two classes too. */
function probabilitiesOf(
  { probabilities, predicted }: ReturnType<typeof predictions>,
  classes: number,
): Float64Array {
  if (probabilities !== undefined) return probabilities.values
  const out = new Float64Array(predicted!.length * classes)
  for (const [i, p] of predicted!.entries()) out.set([1 - p, p], i * classes)
  return out
}
