import { type Continuous, isCloud, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Caution } from '../../result.js'
import { badGroup } from './bad-group.js'
import { hasColumns } from './columns.js'
import type { Judged } from './judge-rows.js'
import { commonResponse, stuckResponse, TIED } from './ties.js'

/** Below so many rows a level means little. */
const FEW_ROWS = 15
/** In several columns, with fewer rows than this for each, a near cluster of bad rows is not seen. */
const SEVERAL = 3
const ROWS_PER_COLUMN = 20
/** From this share of rows on, a cluster is told. */
const CLUSTER = 0.02

/** What these data cannot tell, or what speaks against the model, apart from its shape. */
export function cautionsOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Pick<Judged<P>, 'fit' | 'law' | 'misfit' | 'heavy' | 'tied' | 'cautions'>,
  y: Float64Array | undefined,
): Caution[] {
  const n = likelihood.rows(data)
  const cautions: Caution[] = [...(judged.cautions ?? [])]
  if (n < FEW_ROWS) {
    const message = `${n} rows are few: a level of bad rows, and which they are, is hardly more than a guess`
    cautions.push({ about: 'few-rows', message })
  }
  if (isCloud(likelihood) && likelihood.dimension(data) === likelihood.points(data).cols) {
    const { cols } = likelihood.points(data)
    if (cols >= SEVERAL && n < ROWS_PER_COLUMN * cols) {
      const message = `with ${n} rows for ${cols} columns bad rows that lie together within about 8 scales of the others can hide by stretching the covariance`
      cautions.push({ about: 'features', message })
    }
  }
  if (hasColumns(data) && !cautions.some(({ about }) => about === 'cluster')) {
    const group = badGroup(data.x, judged.fit.clean)
    if (group !== undefined) cautions.push(group)
  }
  if (!isRegression(likelihood) || y === undefined) return cautions
  return [...cautions, ...tieCautions(y, judged.tied), ...lawCautions(judged)]
}

/** What responses that repeat leave open. */
export function tieCautions(y: Float64Array, tied: boolean = false): Caution[] {
  const common = commonResponse(y, tied ? TIED : undefined)
  if (common !== undefined) return [ofTies(common, y)]
  const stuck = stuckResponse(y)
  if (stuck === undefined) return []
  const message = `${Math.round(100 * stuck.share)} % of the responses are ${stuck.value}, and no other value comes nearly as often, as where a sensor is stuck or a default was written: such rows count as good where the model explains them, and the interval leaves open that all are bad; look at how they were recorded`
  return [{ about: 'ties', message }]
}

/** What the law of good rows leaves open. */
export function lawCautions({
  law,
  misfit,
  heavy,
}: Pick<Judged<Params>, 'law' | 'misfit' | 'heavy'>): Caution[] {
  const cautions: Caution[] = []
  if (misfit) {
    const message =
      'the errors of good rows follow none of the laws that were tried: rows not far off may be called bad for that alone; look at a histogram of the residuals'
    cautions.push({ about: 'law', message })
  }
  if (heavy) {
    const message =
      'the tails of good rows are as heavy as those of any law that was tried: which of the rows far off are bad can hardly be told, and the interval goes from what even a Cauchy law would leave to what a normal law would call bad'
    cautions.push({ about: 'law', message })
  }
  const cluster = law?.cluster ?? law?.beside?.cluster
  if (law !== undefined && cluster !== undefined && cluster.share > CLUSTER) {
    const off = cluster.centre - (law.cluster?.middle ?? (law.shape.skewed ? law.params[2] : 0))
    const side = off > 0 ? 'above' : 'below'
    const far = Math.abs(off) / Math.exp(law.params[0])
    const message = `most bad rows lie together, about ${far.toFixed(1)} scales ${side} the others: they may be a group of their own rather than errors`
    cautions.push({ about: 'cluster', message })
  }
  return cautions
}

function ofTies({ value, share }: { value: number; share: number }, y: Float64Array): Caution {
  const percent = `${Math.round(100 * share)} %`
  if (value === 0 && y.every((other) => other >= 0)) {
    const message = `${percent} of the responses are 0: a line and one scale do not describe them; try poisson for counts, or model the zeros apart`
    return { about: 'zeros', message }
  }
  const message = `${percent} of the responses are ${value}: neither a scale nor a level means much for values that pile up, and the interval leaves open whether these rows are bad; look at how they were recorded`
  return { about: 'ties', message }
}
