import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import type { Caution, Fit } from '../../../result.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { better, type Explanation, explainLabels, hasSignal } from './evidence.js'
import { explainByHabits, type Habits } from './habits.js'
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

/** How labels were explained by a fit of the same rows. */
export interface Explained<P> {
  readonly uniform: readonly Explanation<P>[]
  readonly habits: Habits<P> | undefined
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
  known?: Explained<P>,
): Fit<P> {
  const { corruption } = fit
  const { level = 0, interval } = corruption
  if (!(level > 0) || interval === undefined || interval[0] === 0 || !hasFeatures(data)) return fit
  const model = likelihood as Labelled<typeof data, P>
  const some = sampleByLoss(model, data, fit.params, ENOUGH)
  const view = viewOf(model, some)
  if (view === undefined) return fit
  const habits = corruption.habits !== undefined
  const own = bestOf((some === data ? known : undefined) ?? explained(model, some, habits), habits)
  const other = bestOf(explained(model, { ...some, x: view.x }, habits), habits)
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

function explained<D, P extends Params>(likelihood: Labelled<D, P>, rows: D, habits: boolean): Explained<P> {
  const uniform = explainLabels(likelihood.prior, rows, likelihood.fit(rows))
  return { uniform, habits: habits ? explainByHabits(likelihood, rows, uniform) : undefined }
}

/** The best explanation of the labels, by habits too where a fit found some. */
function bestOf<P>({ uniform, habits: learned }: Explained<P>, habits: boolean): Explanation<P> | undefined {
  const all = [...uniform.filter(hasSignal), ...((habits ? learned : undefined)?.explanations ?? [])]
  return all.length === 0 ? undefined : better(all)
}

function hasFeatures<D>(data: D): data is D & WithFeatures {
  return typeof data === 'object' && data !== null && 'x' in data
}
