import { type Matrix, matrix } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'

/** Rows of skewed columns, with bad ones far off to either side: exactly round(share n) of them. */

export const MARGINALS = ['normal', 'exponential', 'lognormal', 'lognormal1', 'gamma', 'chi2'] as const
/** `lognormal` has a log scale of .5, `lognormal1` of 1, `gamma` a shape of 3, `chi2` one degree of freedom. */
export type Marginal = (typeof MARGINALS)[number]

/** `sums`: each column is one law and .7 times the next; `common`: all have .7 times one more of their law in common. */
export const DEPENDENCES = ['independent', 'sums', 'common'] as const
export type Dependence = (typeof DEPENDENCES)[number]

export interface SkewedSetting {
  readonly marginal: Marginal
  readonly rows: number
  readonly columns: number
  readonly dependence: Dependence
  readonly share: number
}

/** Bad rows lie anywhere within so many standard deviations of the column. */
const FAR = 20

export function skewedData(
  setting: SkewedSetting,
  seed: number,
  run: number,
): { readonly x: Matrix; readonly truth: number } {
  const { marginal, rows, columns, dependence, share } = setting
  const random = draws(seed, 'skewed', marginal, rows, columns, dependence, share, run)
  const x = matrix(rows, columns)
  for (let i = 0; i < rows; i++) {
    const own = Float64Array.from({ length: columns }, () => draw(marginal, random))
    const shared = dependence === 'common' ? 0.7 * draw(marginal, random) : 0
    for (let j = 0; j < columns; j++) {
      const next = dependence === 'sums' ? 0.7 * own[(j + 1) % columns] : shared
      x.values[i * columns + j] = own[j] + next
    }
  }
  const bad = Math.round(share * rows)
  spoil(x, bad, random)
  return { x, truth: bad / rows }
}

function draw(marginal: Marginal, random: Draws): number {
  switch (marginal) {
    case 'normal':
      return random.normal()
    case 'exponential':
      return random.chiSquared(2) / 2
    case 'lognormal':
      return Math.exp(0.5 * random.normal())
    case 'lognormal1':
      return Math.exp(random.normal())
    case 'gamma':
      return random.chiSquared(6) / 2
    case 'chi2':
      return random.chiSquared(1)
  }
}

function spoil(x: Matrix, bad: number, random: Draws): void {
  const { rows, cols, values } = x
  for (let j = 0; j < cols; j++) {
    let [sum, squares] = [0, 0]
    for (let i = 0; i < rows; i++) {
      sum += values[i * cols + j]
      squares += values[i * cols + j] ** 2
    }
    const centre = sum / rows
    const spread = Math.sqrt(squares / rows - centre ** 2)
    for (let i = 0; i < bad; i++) values[i * cols + j] = centre + spread * random.uniform(-FAR, FAR)
  }
}
