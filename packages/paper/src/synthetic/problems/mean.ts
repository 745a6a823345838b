import { fit, type MeanParams, matrix, mean, ml, paper, rrm, type Unsupervised } from 'rlvi'
import type { Draws } from 'rlvi/random'
import { type Definition, relativeError } from './problem.js'

const ROWS = 100
const DEGREES = 2.5
const truth = [200, 200]

/** Good rows are N(truth, [400 50; 50 400]); bad rows are Student's t about the same centre, ten times that as scale. */
export function meanData(random: Draws, epsilon: number): Unsupervised {
  const good = ROWS - random.binomial(ROWS, epsilon)
  const wide = Math.sqrt((2 * DEGREES) / (DEGREES - 2))
  const x = matrix(ROWS, 2)
  for (let i = 0; i < ROWS; i++) {
    const a = 20 * random.normal()
    const b = 0.125 * a + 20 * Math.sqrt(1 - 0.125 ** 2) * random.normal()
    const scale = i < good ? 1 : wide / Math.sqrt(random.chiSquared(DEGREES) / DEGREES)
    x.values.set([200 + scale * a, 200 + scale * b], 2 * i)
  }
  return { x }
}

const model = mean()
const epsilonTilde = 0.4

function error(result: { readonly params: MeanParams }): number {
  return relativeError(result.params.mean, truth)
}

export const meanProblem: Definition<Unsupervised> = {
  name: 'mean',
  rows: ROWS,
  generate: meanData,
  methods: [
    { method: 'ML', variants: ['released'], error: (data) => error(ml(model, data)) },
    {
      method: 'RRM',
      variants: ['released', 'corrected'],
      epsilonTilde,
      error: (data) => error(rrm(model, data, { assumed: epsilonTilde })),
    },
    { method: 'RLVI', variants: ['released'], error: (data) => error(paper(model, data)) },
    { method: 'calibrated', variants: ['default'], error: (data) => error(fit(model, data)) },
    {
      method: 'RLVI',
      variants: ['limit'],
      diagnostic: true,
      error: (data) => error(paper(model, data, { eStep: 'exact' })),
    },
  ],
}
