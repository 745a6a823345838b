import { expect, test, vi } from 'vitest'
import type { Supervised } from '../../../likelihoods/likelihood.js'
import { type SoftmaxParams, softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { draws } from '../../../random/draws.js'
import { fitCrossFitted } from './cross-fitted.js'
import type { Labelled } from './labelled.js'
import type { HabitsOutOfFold } from './out-of-fold-habits.js'

/** What unseen rows are said to say of habits; no data of this size were found that ask for a class without rows. */
let said: HabitsOutOfFold | undefined
vi.mock('./out-of-fold-habits.js', () => ({ habitsOutOfFold: () => said }))

const K = 3
const n = 90

function rows() {
  const random = draws('cross-fitted', 1)
  const x = matrix(n, 2)
  const y = Float64Array.from({ length: n }, (_, i) => {
    x.values.set([4 * (i % K) + random.normal(), random.normal()], 2 * i)
    return i % K
  })
  return { x, y }
}

/** Certain classes, by the given label. */
function habitsBy(classOf: (label: number) => number): HabitsOutOfFold {
  const posterior = matrix(n, K)
  for (let i = 0; i < n; i++) posterior.values[i * K + classOf(i % K)] = 1
  const T = matrix(K, K, Float64Array.of(0.9, 0.05, 0.05, 0.05, 0.9, 0.05, 0.05, 0.05, 0.9))
  return { clear: true, level: 0.15, interval: [0.1, 0.2], T, posterior }
}

test('habits that leave a class no rows of its own are refused by cross-fitting too', () => {
  const model = softmax({ classes: K, ridge: 0.01 }) as Labelled<Supervised, SoftmaxParams>
  said = habitsBy((label) => label)
  expect(fitCrossFitted(model, rows()).corruption.habits).toBeDefined()
  said = habitsBy((label) => (label === 1 ? 0 : label))
  const refused = fitCrossFitted(model, rows())
  expect(refused.corruption.habits).toBeUndefined()
  said = undefined
  expect(refused.corruption).toEqual(fitCrossFitted(model, rows()).corruption)
})
