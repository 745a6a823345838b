import {
  type CovarianceParams,
  covariance,
  type Differentiable,
  fit,
  matrix,
  ml,
  paper,
  rrm,
  sever,
  type Unsupervised,
} from 'rlvi'
import type { Draws } from 'rlvi/random'
import { severAsReleased } from '../../as-released/sever.js'
import { type Definition, type Method, relativeError } from './problem.js'

const ROWS = 50
const DEGREES = 1.5
const truth = [1, 0.8, 0.8, 1]

/** Good rows are N(0, S*); bad rows are Student's t with the scale matrix S*, S* = [1 .8; .8 1]. */
export function covarianceData(random: Draws, epsilon: number): Unsupervised {
  const good = ROWS - random.binomial(ROWS, epsilon)
  const x = matrix(ROWS, 2)
  for (let i = 0; i < ROWS; i++) {
    const a = random.normal()
    const b = 0.8 * a + 0.6 * random.normal()
    const scale = i < good ? 1 : Math.sqrt(random.chiSquared(DEGREES) / DEGREES)
    x.values.set([a / scale, b / scale], 2 * i)
  }
  return { x }
}

const model = covariance()
const unbiased = withDivisorLessOne(model)
const unbiasedAsReleased = withDivisorLessOne(covariance({ asReleased: true }))
const tolerance = 1e-2

/** ML and SEVER take the sample covariance with n - 1; RRM and RLVI divide by the sum of their weights. */
function withDivisorLessOne(
  likelihood: Differentiable<Unsupervised, CovarianceParams>,
): Differentiable<Unsupervised, CovarianceParams> {
  return {
    ...likelihood,
    fit(data, weights, start) {
      const params = likelihood.fit(data, weights, start)
      const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? data.x.rows
      const values = params.covariance.values.map((value) => (value * total) / (total - 1))
      return { ...params, covariance: matrix(2, 2, values) }
    },
  }
}

function error(result: { readonly params: CovarianceParams }): number {
  return relativeError(result.params.covariance.values, truth)
}

/** The rivals and RLVI under a level: the paper's table has .3, the released code .4. */
function under(epsilonTilde: number): Array<Method<Unsupervised>> {
  const common = { epsilonTilde }
  const goodRows = ROWS * (1 - epsilonTilde)
  const both = [`released_epst${epsilonTilde}`, `corrected_epst${epsilonTilde}`] as const
  const settings = { assumed: epsilonTilde, rounds: 3 }
  return [
    {
      ...common,
      method: 'SEVER',
      variants: [both[0]],
      error: (data) => error(severAsReleased(unbiasedAsReleased, data, settings)),
    },
    {
      ...common,
      method: 'SEVER',
      variants: [both[1]],
      error: (data) => error(sever(unbiased, data, settings)),
    },
    {
      ...common,
      method: 'RRM',
      variants: both,
      error: (data) => error(rrm(model, data, { assumed: epsilonTilde, tolerance })),
    },
    {
      ...common,
      method: 'RLVI',
      variants: both,
      error: (data) => error(paper(model, data, { goodRows, tolerance })),
    },
  ]
}

/** The covariance of contaminated rows. */
export const covarianceProblem: Definition<Unsupervised> = {
  name: 'cov',
  rows: ROWS,
  generate: covarianceData,
  methods: [
    { method: 'ML', variants: ['released'], error: (data) => error(ml(unbiased, data)) },
    ...under(0.3),
    ...under(0.4),
    { method: 'calibrated', variants: ['default'], error: (data) => error(fit(model, data)) },
  ],
}
