import {
  type Differentiable,
  fit,
  matrix,
  ml,
  type PcaParams,
  paper,
  pca,
  rrm,
  sever,
  type Unsupervised,
} from 'rlvi'
import type { Draws } from 'rlvi/random'
import { severAsReleased } from '../../as-released/sever.js'
import type { Definition } from './problem.js'

const ROWS = 40
const DEGREES = 1.5

/** Good rows scatter along (1, 2); bad rows are bivariate Student's t without a direction. */
export function pcaData(random: Draws, epsilon: number): Unsupervised {
  const good = ROWS - random.binomial(ROWS, epsilon)
  const x = matrix(ROWS, 2)
  for (let i = 0; i < ROWS; i++) {
    const a = random.normal()
    const b = random.normal()
    if (i < good) x.values.set([a, 2 * a + 0.25 * b], 2 * i)
    else {
      const scale = Math.sqrt(random.chiSquared(DEGREES) / DEGREES)
      x.values.set([a / scale, b / scale], 2 * i)
    }
  }
  return { x }
}

const model = pca({ centre: false })
const about = pca()
/** Components about the weighted mean, but losses and gradients about the origin: SEVER's fits, and a variant of RLVI's. */
const centred: Differentiable<Unsupervised, PcaParams> = {
  ...model,
  fit: (data, weights, near) => ({ ...about.fit(data, weights, near), mean: new Float64Array(2) }),
}
/**
 * The released code multiplies rows by their weights and subtracts the plain mean of these; its losses have no centre.
 * The component's sign is scikit-learn's (the row that reaches farthest is positive), because it enters the stopping
 * rule: the first fit may be the opposite of the start, and is then not taken for the last.
 */
const multiplied = pca({ centre: false, asReleased: true })
const released: Differentiable<Unsupervised, PcaParams> = {
  ...multiplied,
  fit(data, weights, near) {
    const params = multiplied.fit(data, weights, near)
    const { values } = params.components
    const along = Array.from({ length: ROWS }, (_, i) => {
      const [a = 0, b = 0] = data.x.values.subarray(2 * i)
      return (weights?.[i] ?? 1) * (a * (values[0] ?? 0) + b * (values[1] ?? 0))
    })
    const centre = along.reduce((sum, value) => sum + value, 0) / ROWS
    const farthest = along.reduce(
      (most, value) => (Math.abs(value - centre) > Math.abs(most) ? value - centre : most),
      0,
    )
    if (farthest >= 0) return params
    return {
      ...params,
      components: matrix(
        1,
        2,
        values.map((value) => -value),
      ),
    }
  },
}
const epsilonTilde = 0.4
const tolerance = 1e-2

/** All robust methods start from (0.1, 1), in the paper's code and in Osama et al. */
const start: PcaParams = {
  mean: new Float64Array(2),
  components: matrix(1, 2, Float64Array.of(0.1 / Math.hypot(0.1, 1), 1 / Math.hypot(0.1, 1))),
  variances: Float64Array.of(1),
  scale: 1,
}

/** 1 - |cos| of the angle to (1, 2). */
function error(result: { readonly params: PcaParams }): number {
  const [a = Number.NaN, b = Number.NaN] = result.params.components.values
  return 1 - Math.abs(a + 2 * b) / Math.sqrt(5)
}

/** The first principal component of contaminated rows. */
export const pcaProblem: Definition<Unsupervised> = {
  name: 'pca',
  rows: ROWS,
  generate: pcaData,
  methods: [
    { method: 'ML', variants: ['released'], error: (data) => error(ml(released, data)) },
    {
      method: 'SEVER',
      variants: ['released'],
      epsilonTilde,
      error: (data) => error(severAsReleased(centred, data, { assumed: epsilonTilde, start })),
    },
    {
      method: 'SEVER',
      variants: ['corrected'],
      epsilonTilde,
      error: (data) => error(sever(centred, data, { assumed: epsilonTilde, start })),
    },
    {
      method: 'RRM',
      variants: ['released'],
      epsilonTilde,
      error: (data) => error(rrm(released, data, { assumed: epsilonTilde, start, tolerance })),
    },
    {
      method: 'RRM',
      variants: ['corrected'],
      epsilonTilde,
      error: (data) => error(rrm(model, data, { assumed: epsilonTilde, start, tolerance })),
    },
    {
      method: 'RLVI',
      variants: ['released'],
      error: (data) => error(paper(released, data, { start, tolerance })),
    },
    {
      method: 'RLVI',
      variants: ['corrected'],
      error: (data) => error(paper(model, data, { start, tolerance })),
    },
    { method: 'calibrated', variants: ['default'], error: (data) => error(fit(model, data)) },
    {
      method: 'RLVI',
      variants: ['corrected_limit'],
      diagnostic: true,
      error: (data) => error(paper(model, data, { start, tolerance, eStep: 'exact' })),
    },
    {
      method: 'RLVI',
      variants: ['corrected_wcentred'],
      diagnostic: true,
      error: (data) => error(paper(centred, data, { start, tolerance })),
    },
    {
      method: 'RLVI',
      variants: ['released_MLstart'],
      diagnostic: true,
      error: (data) => error(paper(released, data, { tolerance })),
    },
  ],
}
