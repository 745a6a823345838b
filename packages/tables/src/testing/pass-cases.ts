import { matrix, type Params, type Supervised } from 'rlvi'
import { type PassModel, passModels } from 'rlvi/passes'
import { draws } from 'rlvi/random'

/** Rows of which some are bad, with columns far from 0, so that lost digits would show. */
export function rowsFor(name: string, seed: number, n = 600): Supervised {
  const random = draws('pass-cases', seed)
  const d = 3
  const x = matrix(n, d)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const bad = i % 7 === 3
    for (let j = 0; j < d; j++) x.values[i * d + j] = random.normal() * (j + 1) + (j === 1 ? 20 : 0)
    if (bad && ['mean', 'covariance', 'pca'].includes(name)) x.values[i * d]! += 9
    const eta = x.values[i * d]! - 0.5 * (x.values[i * d + 1]! - 20)
    if (name === 'linear') y[i] = 3 + eta + (bad ? 8 * random.normal() : 0.3 * random.normal())
    else if (name === 'poisson')
      y[i] = bad ? 12 : Math.round(Math.exp(0.3 * eta + 0.5 + 0.2 * random.normal()))
    else y[i] = eta + random.normal() + (bad ? 4 * random.normal() : 0) > 0 ? 1 : 0
    if (name === 'softmax' && x.values[i * d + 2]! > 2) y[i] = 2
  }
  return { x, y }
}

/** Every model that can be fitted by passes. */
export const models: readonly PassModel<Params>[] = [
  passModels.linear(),
  passModels.linear({ intercept: false }),
  passModels.logistic({ ridge: 0.01 }),
  passModels.softmax({ classes: 3, ridge: 0.01 }),
  passModels.poisson(),
  passModels.mean(),
  passModels.covariance(),
  passModels.pca({ components: 1 }),
] as unknown as PassModel<Params>[]
