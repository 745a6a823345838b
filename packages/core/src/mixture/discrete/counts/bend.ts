import { linearPredictor } from '../../../kernels/gram.js'
import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import type { Caution, Fit } from '../../../result.js'
import { beyondLines, type Product, productsOf, withColumn } from '../products.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { searchLaws, type WantedLaw } from './search-laws.js'

/** So many rows tell. */
const ENOUGH = 1000
/** So many squares and products are added at most, each by a score of at least this, beyond what the best of many has by chance. */
const MOST = 2
const LEAST = 10
/** Residuals count up to so many standard deviations: bad counts say little of a curve. */
const FARTHEST = 3
/** One against twenty, in log-likelihood. */
const CLEARLY = 3
/** A curve that leaves more than this part of the bad counts has not explained them. */
const LEFT = 0.8

/**
 * Where the logarithm of the mean bends along a column, good counts beyond the bend look bad. Where some are called bad for certain, squares and
 * products of the columns that the residuals ask for are added; if that explains the counts better, by fewer bad ones, the interval begins at 0,
 * and a caution names the columns.
 */
export function allowForBend<F extends Fit<LinearParams>>(
  poisson: CountLikelihood,
  data: Supervised,
  fit: F,
  wanted: WantedLaw,
): F {
  const { corruption, errors, params } = fit
  const { level = 0, interval } = corruption
  if (!(level > 0) || interval === undefined || interval[0] === 0) return fit
  const law = poisson.withDispersion(errors?.dispersion ?? 0)
  const caution = bendCaution(law, data, params, wanted)
  if (caution === undefined) return fit
  return {
    ...fit,
    corruption: { ...corruption, interval: [0, interval[1]] },
    cautions: [...(fit.cautions ?? []), caution],
  }
}

function bendCaution(
  law: CountLikelihood,
  data: Supervised,
  params: LinearParams,
  wanted: WantedLaw,
): Caution | undefined {
  const rows = sampleByLoss(law, data, params, ENOUGH)
  const products = productsOf(rows.x)
  if (products.length === 0) return undefined
  const chance = 2 * Math.log(products.length)
  const added: Product[] = []
  let bent = rows
  let at = params
  while (added.length < MOST) {
    const scores = scoresOf(law, bent, at, products)
    const best = scores.reduce((a, b, k) => (b > scores[a] ? k : a), 0)
    if (!(scores[best] > LEAST + chance) || added.includes(products[best])) break
    added.push(products[best])
    bent = { x: withColumn(bent.x, products[best].values), y: bent.y }
    const start = { ...at, coefficients: Float64Array.from([...at.coefficients, 0]) }
    at = law.fit(bent, weightsOf(law, bent, start), start)
  }
  if (added.length === 0) return undefined
  const poisson = law.withDispersion(0)
  const [own, other] = [rows, bent].map((some) => searchLaws(poisson, some, poisson.fit(some), wanted))
  const price = added.length * (0.5 * Math.log(rows.y.length) + chance / 2)
  if (other.value - price < own.value + CLEARLY) return undefined
  const levelOf = ({ best }: typeof own): number => (best === undefined ? 0 : 1 - best.good)
  return levelOf(other) > LEFT * levelOf(own) ? undefined : cautionOf(added[0])
}

function cautionOf({ of: [a, b] }: Product): Caution {
  const why =
    'explains the counts better, by fewer bad ones: good counts beyond a bend look bad, and all may be good'
  if (a === b) {
    const message = `a mean that bends along column ${a} ${why}; add its square or its logarithm as a column`
    return { about: 'curvature', column: a, message }
  }
  const columns = [a, b]
  const message = `a mean that bends with columns ${columns.join(', ')} ${why}; add the product of these columns as a column`
  return { about: 'curvature', columns, message }
}

/** Rao's score of each product, were it added, by residuals of which none counts for much. */
function scoresOf(
  law: CountLikelihood,
  rows: Supervised,
  params: LinearParams,
  products: readonly Product[],
): number[] {
  const residuals = residualsOf(law, rows, params).map((r) => Math.max(-FARTHEST, Math.min(FARTHEST, r)))
  const mean = residuals.reduce((sum, r) => sum + r, 0) / residuals.length
  const left = beyondLines(rows.x)
  return products.map(({ values }) => {
    const own = left(values)
    if (own === undefined) return 0
    let [sum, variance] = [0, 0]
    own.forEach((z, i) => {
      sum += (residuals[i] - mean) * z
      variance += ((residuals[i] - mean) * z) ** 2
    })
    return variance > 0 ? sum ** 2 / variance : 0
  })
}

/** Counts less their means, in standard deviations. */
function residualsOf(law: CountLikelihood, { x, y }: Supervised, params: LinearParams): Float64Array {
  const eta = new Float64Array(x.rows)
  linearPredictor(x, params.intercept, params.coefficients, eta)
  return eta.map((e, i) => {
    const mean = Math.exp(Math.min(Math.max(e, -50), 300))
    return (y[i] - mean) / Math.sqrt(mean + law.dispersion * mean * mean)
  })
}

/** Huber's weights: far counts take part, but do not decide. */
function weightsOf(law: CountLikelihood, rows: Supervised, params: LinearParams): Float64Array {
  return residualsOf(law, rows, params).map((r) => Math.min(1, FARTHEST / Math.max(Math.abs(r), 1e-9)))
}
