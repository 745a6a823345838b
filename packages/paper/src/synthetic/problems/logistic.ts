import { fit, type LinearParams, logistic, matrix, ml, paper, rrm, type Supervised, sever } from 'rlvi'
import type { Draws } from 'rlvi/random'
import { severAsReleased } from '../../as-released/sever.js'
import type { Definition } from './problem.js'

const truth = [-1, 1, 1] as const
const CORRELATION = -0.99

/**
 * Rows (1, x1, x2), the ones being the intercept. Good rows lie along a narrow ellipse across the boundary and are
 * labelled by it without error; bad rows are a cluster on the positive side, labelled 0.
 */
export function logisticData(random: Draws, epsilon: number, rows: number): Supervised {
  const good = rows - random.binomial(rows, epsilon)
  const x = matrix(rows, 3)
  const y = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const a = random.normal()
    const b = random.normal()
    const clean = i < good
    const x1 = clean ? 0.5 + 0.5 * a : 0.5 + 0.1 * a
    const x2 = clean ? 0.5 + 0.5 * (CORRELATION * a + Math.sqrt(1 - CORRELATION ** 2) * b) : 1.25 + 0.1 * b
    x.values.set([1, x1, x2], 3 * i)
    y[i] = clean && truth[0] + truth[1] * x1 + truth[2] * x2 >= 0 ? 1 : 0
  }
  return { x, y }
}

// 0.5 |theta|^2 + 100 sum w CE, the intercept penalised like the rest because it is a column.
const model = logistic({ intercept: false, ridge: 0.01 })
const released = logistic({ intercept: false, ridge: 0.01, asReleased: true })
const epsilonTilde = 0.3
const tolerance = 1e-2

/** The angle to the truth in degrees. */
function angle(result: { readonly params: LinearParams }): number {
  const { coefficients } = result.params
  let inner = 0
  truth.forEach((value, j) => {
    inner += value * (coefficients[j] ?? Number.NaN)
  })
  const cosine = inner / (Math.hypot(...coefficients) * Math.hypot(...truth))
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI
}

/** None where SEVER has removed a whole class: the base learner refuses that. Weights, however small, it takes. */
function angleUnlessOneClass(result: { readonly params: LinearParams }): number {
  return result.params.problem?.reason === 'one-class' ? Number.NaN : angle(result)
}

/** The paper's logistic regression: 100 rows in its table, 200 in the released code. */
export function logisticProblem(rows: number): Definition<Supervised> {
  return {
    name: `logreg_n${rows}`,
    rows,
    generate: (random, epsilon) => logisticData(random, epsilon, rows),
    methods: [
      { method: 'ML', variants: ['released', 'corrected'], error: (data) => angle(ml(model, data)) },
      {
        method: 'SEVER',
        variants: ['released'],
        epsilonTilde,
        error: (data) => angleUnlessOneClass(severAsReleased(released, data, { assumed: epsilonTilde })),
      },
      {
        method: 'SEVER',
        variants: ['corrected'],
        epsilonTilde,
        error: (data) => angleUnlessOneClass(sever(model, data, { assumed: epsilonTilde })),
      },
      {
        method: 'RRM',
        variants: ['released'],
        epsilonTilde,
        error: (data) => angle(rrm(released, data, { assumed: epsilonTilde, tolerance })),
      },
      {
        method: 'RRM',
        variants: ['corrected'],
        epsilonTilde,
        error: (data) => angle(rrm(model, data, { assumed: epsilonTilde, tolerance })),
      },
      // The released code fits with liblinear, to 1e-4; `blind_exactfit` is its label-blind loss with the exact fit.
      {
        method: 'RLVI',
        variants: ['released', 'blind_exactfit'],
        error: (data) => angle(paper(released, data, { tolerance })),
      },
      { method: 'RLVI', variants: ['corrected'], error: (data) => angle(paper(model, data, { tolerance })) },
      { method: 'calibrated', variants: ['default'], error: (data) => angle(fit(model, data)) },
    ],
  }
}
