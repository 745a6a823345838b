import { describe, it } from 'vitest'
import { type LikelihoodCases, likelihoodLaws } from '../laws/index.js'
import { matrix, takeRows } from '../matrix.js'
import type { Draws } from '../random/draws.js'
import { type CovarianceParams, covariance } from './covariance.js'
import type { Likelihood, LinearParams, Params, Supervised, Unsupervised } from './likelihood.js'
import { type LinearRegressionParams, linear } from './linear.js'
import { logistic } from './logistic.js'
import { mean } from './mean.js'
import { negativeBinomial } from './negative-binomial.js'
import { type PcaParams, pca } from './pca.js'
import { poisson } from './poisson.js'
import { type SoftmaxParams, softmax } from './softmax.js'

const N = 60

function obeysLaws<D, P extends Params>(
  name: string,
  likelihood: Likelihood<D, P>,
  cases: LikelihoodCases<D, P>,
): void {
  describe(`laws of ${name}`, () => {
    for (const law of likelihoodLaws(likelihood, cases)) it(law.name, law.check)
  })
}

/** Features, a response made from the linear predictor, and every tenth row shuffled away from it. */
function regression(random: Draws, respond: (eta: number) => number): Supervised {
  const x = matrix(N, 3)
  const y = new Float64Array(N)
  for (let i = 0; i < N; i++) {
    let eta = 0.3
    for (let j = 0; j < 3; j++) {
      x.values[i * 3 + j] = random.normal() * (1 + j) + j
      eta += (0.4 - 0.2 * j) * x.values[i * 3 + j]
    }
    y[i] = respond(i % 10 === 0 ? random.normal() * 2 : eta)
  }
  return { x, y }
}

function cloud(random: Draws): Unsupervised {
  const x = matrix(N, 3)
  for (let i = 0; i < N; i++) {
    const wide = i % 10 === 0 ? 5 : 1
    const common = random.normal() * 2
    for (let j = 0; j < 3; j++)
      x.values[i * 3 + j] = wide * (random.normal() * (0.3 + 0.2 * j) + common * (j + 1)) + j
  }
  return { x }
}

const takeBoth = ({ x, y }: Supervised, rows: ArrayLike<number>): Supervised => ({
  x: takeRows(x, rows),
  y: Float64Array.from(rows, (i) => y[i]),
})
const takeOne = ({ x }: Unsupervised, rows: ArrayLike<number>): Unsupervised => ({ x: takeRows(x, rows) })

/** Intercept and coefficients as the free numbers. */
const predictorFree = {
  free: (p: LinearParams): Float64Array => Float64Array.of(p.intercept, ...p.coefficients),
  withFree<P extends LinearParams>(p: P, free: Float64Array): P {
    return { ...p, intercept: free[0], coefficients: free.slice(1) }
  },
  gradientsByFree: true,
}

const gaussianResponse = (random: Draws) => regression(random, (eta) => eta + 0.5 * random.normal())

obeysLaws<Supervised, LinearRegressionParams>('linear', linear(), {
  sample: gaussianResponse,
  take: takeBoth,
  holdScale: (p, held) => ({ ...p, scale: held.scale }),
  ...predictorFree,
})

obeysLaws('linear with its normaliser', linear({ normaliser: true }), {
  sample: gaussianResponse,
  take: takeBoth,
  free: (p) => Float64Array.of(p.intercept, ...p.coefficients, p.scale),
  withFree: (p, free) => ({
    ...p,
    intercept: free[0],
    coefficients: free.slice(1, -1),
    scale: free[free.length - 1],
  }),
})

obeysLaws('logistic', logistic(), {
  sample: (random) => regression(random, (eta) => (random.uniform(0, 1) < 1 / (1 + Math.exp(-eta)) ? 1 : 0)),
  take: takeBoth,
  ...predictorFree,
})

obeysLaws('poisson', poisson(), {
  sample: (random) => regression(random, (eta) => poissonDraw(Math.exp(Math.min(eta, 3)), random)),
  take: takeBoth,
  ...predictorFree,
})

obeysLaws('negative binomial', negativeBinomial(poisson(), { dispersion: 0.3 }), {
  sample: (random) => regression(random, (eta) => poissonDraw(Math.exp(Math.min(eta, 3)), random)),
  take: takeBoth,
  ...predictorFree,
})

const CLASSES = 3
obeysLaws('softmax', softmax({ classes: CLASSES }), {
  sample: (random) =>
    regression(random, (eta) =>
      random.uniform(0, 1) < 0.25 ? Math.floor(random.uniform(0, CLASSES)) : eta < 0 ? 0 : eta < 1 ? 1 : 2,
    ),
  take: takeBoth,
  // Differences to class 0: the rest is fixed by the convention that classes sum to 0.
  free: (p) => differences(p),
  withFree: (_, free) => fromDifferences(free),
})

obeysLaws('mean', mean(), {
  sample: cloud,
  take: takeOne,
  free: (p) => p.mean,
  withFree: (p, free) => ({ ...p, mean: free }),
  holdScale: (p, held) => ({ ...p, scale: held.scale }),
  gradientsByFree: true,
})

obeysLaws('mean with its normaliser', mean({ normaliser: true }), {
  sample: cloud,
  take: takeOne,
  free: (p) => Float64Array.of(...p.mean, p.scale),
  withFree: (p, free) => ({ ...p, mean: free.slice(0, -1), scale: free[free.length - 1] }),
})

obeysLaws('covariance', covariance(), {
  sample: cloud,
  take: takeOne,
  free: (p) => Float64Array.of(...p.mean, ...lowerOf(p)),
  withFree: (p, free) => ({ ...p, mean: free.slice(0, 3), covariance: symmetric(free.subarray(3)) }),
})

const angles: LikelihoodCases<Unsupervised, PcaParams> = {
  sample: cloud,
  take: takeOne,
  free: (p) => Float64Array.of(...p.mean, ...tilt(p.components.values)),
  withFree: (p, free) => ({
    ...p,
    mean: free.slice(0, 3),
    components: matrix(1, 3, untilt(free[3], free[4])),
  }),
}
// A mean moved along the component changes no loss, so only the laws without a curvature hold for all of it: keep it.
obeysLaws('pca', pca(), {
  ...angles,
  free: (p) => tilt(p.components.values),
  withFree: (p, free) => ({ ...p, components: matrix(1, 3, untilt(free[0], free[1])) }),
})

obeysLaws('pca about the origin', pca({ centre: false }), {
  ...angles,
  free: (p) => tilt(p.components.values),
  withFree: (p, free) => ({ ...p, components: matrix(1, 3, untilt(free[0], free[1])) }),
})

function poissonDraw(rate: number, random: Draws): number {
  let count = 0
  for (let product = random.uniform(0, 1); product > Math.exp(-rate); count++) product *= random.uniform(0, 1)
  return count
}

function differences(p: SoftmaxParams): Float64Array {
  const { rows, cols, values } = p.coefficients
  const out: number[] = []
  for (let k = 1; k < rows; k++) {
    out.push(p.intercepts[k] - p.intercepts[0])
    for (let j = 0; j < cols; j++) out.push(values[k * cols + j] - values[j])
  }
  return Float64Array.from(out)
}

function fromDifferences(free: Float64Array): SoftmaxParams {
  const cols = free.length / (CLASSES - 1) - 1
  const intercepts = new Float64Array(CLASSES)
  const coefficients = matrix(CLASSES, cols)
  for (let k = 1; k < CLASSES; k++) {
    const from = (k - 1) * (cols + 1)
    intercepts[k] = free[from]
    coefficients.values.set(free.subarray(from + 1, from + 1 + cols), k * cols)
  }
  for (const [values, width] of [[intercepts, 1] as const, [coefficients.values, cols] as const])
    for (let j = 0; j < width; j++) {
      let mean = 0
      for (let k = 0; k < CLASSES; k++) mean += values[k * width + j] / CLASSES
      for (let k = 0; k < CLASSES; k++) values[k * width + j] -= mean
    }
  return { intercepts, coefficients }
}

function lowerOf(p: CovarianceParams): number[] {
  const out: number[] = []
  for (let j = 0; j < 3; j++) for (let k = 0; k <= j; k++) out.push(p.covariance.values[j * 3 + k])
  return out
}

function symmetric(lower: Float64Array): CovarianceParams['covariance'] {
  const out = matrix(3, 3)
  for (let j = 0, at = 0; j < 3; j++) {
    for (let k = 0; k <= j; k++, at++) {
      out.values[j * 3 + k] = lower[at]
      out.values[k * 3 + j] = lower[at]
    }
  }
  return out
}

/** A unit vector as two angles. */
function tilt(v: Float64Array): Float64Array {
  return Float64Array.of(Math.atan2(v[1], v[0]), Math.asin(Math.max(-1, Math.min(1, v[2]))))
}

function untilt(around: number, up: number): Float64Array {
  return Float64Array.of(Math.cos(around) * Math.cos(up), Math.sin(around) * Math.cos(up), Math.sin(up))
}
