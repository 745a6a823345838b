import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params, Unsupervised } from '../../likelihoods/likelihood.js'
import { middleHalf } from '../../linalg/middle-half.js'
import { columnOf, type Matrix, matrix } from '../../matrix.js'
import type { Caution } from '../../result.js'
import { isPlain } from '../laws/good-rows.js'
import type { Judged, JudgedByLaw } from './judge-rows.js'
import { asResponse } from './one-column.js'

/** Values beyond so many scales of a column's middle half are far off. */
const FAR = 4
/** Fewer of them say nothing of a column. */
const FEWEST = 3
/** So large a share of the rows must be bad in the column alone, and not in all of them. */
const HIDDEN = 0.01

/**
 * Bad rows that are wrong in one column alone lie along a line, and few of them far off in a distance of all columns: such a distance hides those that happen
 * to lie near, and a law of long tails explains the others. So the column with most values far off is also judged by itself, and the interval
 * holds what it says.
 */
export function allowForWorstColumn<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D & Unsupervised,
  judged: JudgedByLaw<P>,
  seed: number,
): Judged<P> {
  const { fit, law } = judged
  const { interval } = fit.corruption
  // A row far out along a principal component is good, and far out in its columns.
  if (data.x.cols < 2 || likelihood.dimension(data) < data.x.cols || interval === undefined) return judged
  if (fit.corruption.level === 0 && isPlain(law)) return judged
  const column = worstOf(data.x)
  if (column === undefined || fit.errors?.columns?.includes(column)) return judged
  const alone = asResponse(oneOf(data.x, column), 'auto', seed)
  const { level = 0, interval: own } = alone?.fit.corruption ?? {}
  if (alone === undefined || own === undefined || own[1] <= interval[1]) return judged
  const hidden = alone.fit.clean.reduce((sum, p, i) => (p < 0.5 && fit.clean[i] > 0.5 ? sum + 1 : sum), 0)
  if (hidden < HIDDEN * data.x.rows) return judged
  const corruption = { ...fit.corruption, interval: [interval[0], own[1]] as const }
  return {
    ...judged,
    fit: { ...fit, corruption },
    cautions: [...(judged.cautions ?? []), ofColumn(column, level)],
  }
}

function ofColumn(column: number, level: number): Caution {
  const message = `column ${column} by itself has about ${Math.round(100 * level)} % bad rows, more than a distance in all columns shows: rows that are wrong in it alone may count as good, and the interval holds both`
  return { about: 'law', message, column }
}

/** The column with most values far off its middle half. */
function worstOf(x: Matrix): number | undefined {
  let [worst, most]: [number | undefined, number] = [undefined, FEWEST - 1]
  for (let j = 0; j < x.cols; j++) {
    const { values } = oneOf(x, j)
    const { centre, scale } = middleHalf(values)
    if (!(scale > 0)) continue
    const far = values.reduce(
      (count, value) => (Math.abs(value - centre) > FAR * scale ? count + 1 : count),
      0,
    )
    if (far > most) [worst, most] = [j, far]
  }
  return worst
}

function oneOf(x: Matrix, column: number): Matrix {
  return matrix(x.rows, 1, columnOf(x, column))
}
