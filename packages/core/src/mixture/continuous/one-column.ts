import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params, Unsupervised } from '../../likelihoods/likelihood.js'
import { type LinearRegressionParams, linear } from '../../likelihoods/linear.js'
import { type Matrix, matrix } from '../../matrix.js'
import { isPlain, type Laws } from '../laws/good-rows.js'
import { DOUBT } from '../laws/select.js'
import { areFew, sampleRows, searchRows } from '../shared/sample.js'
import { binnedEm } from './binned-em.js'
import { lawCautions } from './cautions.js'
import { inColumns, lawsFor } from './columns.js'
import { mlFit } from './em.js'
import { hasLaw, type Judged, type JudgedByLaw, judgeRows } from './judge-rows.js'
import { ROUGH, searchContinuous } from './search.js'
import { united } from './second-opinion.js'

/**
 * A row of one column lies to the left of the others or to the right, which a distance does not know: a curve that draws in a
 * long tail draws in the bad rows that lie there. So the column is also judged as a response without features, by two-piece
 * laws and shells of either side. If that explains the rows better it is the answer; else the interval holds what it says, if it
 * can be true, and beside a curve in any case.
 */
export function allowForSides<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D & Unsupervised,
  judged: JudgedByLaw<P>,
  laws: Laws,
  seed: number,
): Judged<P> {
  const { law, fit } = judged
  if (data.x.cols !== 1) return judged
  const onCurve = fit.errors?.columns !== undefined
  if (fit.corruption.level === 0 && isPlain(law) && !onCurve) return judged
  const sides = asResponse(data.x, laws.bends === 'must' ? 'skewed' : 'auto', seed)
  if (sides === undefined) return judged
  const gain = sides.evidence - judged.evidence
  const { interval } = sides.fit.corruption
  if (gain > DOUBT && interval !== undefined) {
    const { errors, badFrom } = sides.fit
    const named = errors?.name === 'skewed' ? { errors: { ...errors, columns: [0] } } : {}
    const better = inColumns(likelihood, data, { ...sides.fit, ...named }, interval)
    // No law of distances is left that others could be compared with.
    if (better !== undefined)
      return {
        fit: { ...better, badFrom: badFrom! },
        evidence: sides.evidence,
        curves: [],
        cautions: lawCautions(sides),
      }
  }
  if (!onCurve && gain < -DOUBT) return judged
  return { ...judged, fit: { ...fit, corruption: united(fit.corruption, sides.fit.corruption) } }
}

/** One column as a response without features. */
export function asResponse(
  x: Matrix,
  errors: 'auto' | 'skewed',
  seed: number,
): Judged<LinearRegressionParams> | undefined {
  const likelihood = linear()
  const data = { x: matrix(x.rows, 0), y: Float64Array.from(x.values) }
  const few = areFew(likelihood, data)
  const found = searchContinuous(
    likelihood,
    sampleRows(likelihood, data, seed, searchRows(1)),
    seed,
    few ? undefined : ROUGH,
  )
  if (found.params.problem !== undefined) return undefined
  const model = few ? found : binnedEm(likelihood, data, found, 0.1 / Math.sqrt(x.rows))
  if (model.params.problem !== undefined) return undefined
  const laws = lawsFor(likelihood, data, errors)
  const broad = few ? found : undefined
  const judged = judgeRows(likelihood, data, mlFit(likelihood, data), model, new Map(), laws, broad)
  return hasLaw(judged) && judged.fit.status.kind !== 'degenerate' ? judged : undefined
}
