/** The exact E-step on a million losses against the paper's fixed-point rule in numpy. */
import { exactEStep, sharedMatrix } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import { bestOf, compare, say } from './measure.js'
import { runPython, withFile } from './yardstick.js'

interface Times {
  readonly mean: number
  readonly iterations: number
  readonly ms: number
  readonly ms_exp_inside: number
}

const ROWS = 1_000_000

/** Gaussian negative log-densities: a good row's residual has the model's scale, a bad one's is wider. */
const gauss = (scale: number, width: number, bad: number) => (random: Draws) => {
  const residual = random.normal() * (random.uniform(0, 1) < bad ? width : scale)
  return 0.5 * (residual / scale) ** 2 + Math.log(scale * Math.sqrt(2 * Math.PI))
}
const profiles: Record<string, (random: Draws) => number> = {
  'interior, well separated': gauss(0.02, 1, 0.2),
  'interior, overlapping': gauss(0.1, 0.3, 0.3),
  collapse: (random) => -0.3 * Math.log1p(-random.uniform(0, 1)),
}

say(`exact E-step, ${ROWS} losses, against the paper's rule in numpy`)
for (const [name, draw] of Object.entries(profiles)) {
  const random = draws('estep', 1)
  const losses = sharedMatrix(ROWS, 1).values
  const weights = sharedMatrix(ROWS, 1).values
  for (let i = 0; i < ROWS; i++) losses[i] = draw(random)

  const step = exactEStep(losses, weights)
  const ours = bestOf(100, () => exactEStep(losses, weights))
  say(`${name}: ${step.status}, mean weight ${step.mean.toPrecision(6)}, ${step.passes} passes`)
  const theirs = withFile([losses], (path) => runPython<Times>('estep.py', ['numpy'], [path]))
  if (theirs?.kind !== 'done') continue
  const { mean, iterations, ms, ms_exp_inside: slow } = theirs.result
  compare(`numpy, exp once, ${iterations} iterations to ${mean.toPrecision(6)}`, ms, ours, 5)
  compare('numpy, exp in every iteration', slow, ours)
}
