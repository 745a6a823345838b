import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import type { Caution, Fit } from '../../../result.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { better, type Explanation, explainLabels, hasSignal } from './evidence.js'
import { explainByHabits } from './habits.js'
import type { Labelled } from './labelled.js'

/** One against twenty, in log evidence. */
const CLEARLY = 3
/** A view that leaves more than this part of the wrong labels has not explained them. */
const LEFT = 0.8
/** So many rows tell. */
const ENOUGH = 1000

/** Rows that have features. */
export interface WithFeatures {
  readonly x: Matrix
}

/** Another way to see the same rows, under which right labels may no longer look wrong. */
export interface View {
  readonly x: Matrix
  readonly caution: Caution
  /** What it must be better by for having been looked for, in log evidence. Default none. */
  readonly price?: number
}

/**
 * Where the same rows, seen in another way, are explained better by fewer wrong labels, labels look wrong only because of how rows
 * were seen: the interval begins at 0 then, and a caution says why. Views are made of a sample of the rows and only where some
 * labels are certainly wrong otherwise.
 */
export function allowForView<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  fit: Fit<P>,
  viewOf: (likelihood: Labelled<D & WithFeatures, P>, rows: D & WithFeatures) => View | undefined,
): Fit<P> {
  const { corruption } = fit
  const { level = 0, interval } = corruption
  if (!(level > 0) || interval === undefined || interval[0] === 0 || !hasFeatures(data)) return fit
  const model = likelihood as Labelled<typeof data, P>
  const some = sampleByLoss(model, data, fit.params, ENOUGH)
  const view = viewOf(model, some)
  if (view === undefined) return fit
  const habits = corruption.habits !== undefined
  const [own, other] = [some, { ...some, x: view.x }].map((rows) => bestOf(model, rows, habits))
  if (own === undefined || other === undefined) return fit
  if (other.logEvidence < own.logEvidence + CLEARLY + (view.price ?? 0) || other.level > LEFT * own.level)
    return fit
  const cautions = (fit.cautions ?? []).filter(({ about }) => about !== 'level')
  return {
    ...fit,
    corruption: { ...corruption, interval: [0, interval[1]] },
    cautions: [...cautions, view.caution],
  }
}

/** The best explanation of the labels, by habits too where a fit found some. */
function bestOf<D, P extends Params>(
  likelihood: Labelled<D, P>,
  rows: D,
  habits: boolean,
): Explanation<P> | undefined {
  const uniform = explainLabels(likelihood.prior, rows, likelihood.fit(rows))
  const learned = habits ? explainByHabits(likelihood, rows, uniform) : undefined
  const all = [...uniform.filter(hasSignal), ...(learned?.explanations ?? [])]
  return all.length === 0 ? undefined : better(all)
}

function hasFeatures<D>(data: D): data is D & WithFeatures {
  return typeof data === 'object' && data !== null && 'x' in data
}
