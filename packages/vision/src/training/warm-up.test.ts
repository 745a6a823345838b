import { rlvi, standard } from '@rlvi/nn/methods'
import { describe, expect, it } from 'vitest'
import { withWarmUp } from './warm-up.js'

describe('warm-up', () => {
  const labels = [0, 0, 1, 1]
  const heldOut = { predictions: [], labels: [], classes: 2 }
  const few = { labels, epochs: 10, validation: 100 }
  const state = (losses: number[]) => ({
    epoch: 0,
    step: 0,
    correct: 0,
    seconds: 0,
    losses: Float64Array.from(losses),
    clean: new Float64Array(4).fill(1),
    kept: new Uint8Array(4),
    threshold: 0,
    overfit: false,
    warm: false,
    level: undefined,
    interval: undefined,
    arrays: {},
    history: [],
  })
  const info = (epoch: number) => ({ epoch, epochs: 10, classes: 2, labels })
  const known = [0.1, 3, 0.2, 2]
  const lost = [0.1, 0.2, 2, 3]

  it('keeps all weights while a class is unknown, and goes on when all are known', () => {
    const method = withWarmUp(rlvi(), few)
    const now = state(lost)
    method.endEpoch!(now, info(1))
    method.validated!(now, [0.9, 0.9, 0.1], heldOut)
    expect([...now.clean, now.overfit]).toEqual([1, 1, 1, 1, false])
    now.losses.set(known)
    method.endEpoch!(now, info(2))
    const plain = state(known)
    rlvi().endEpoch!(plain, info(2))
    expect(now.clean).toEqual(plain.clean)
    // Once begun it does not stop, whatever is forgotten.
    now.losses.set(lost)
    method.endEpoch!(now, info(3))
    expect(now.clean[3]).toBeLessThan(0.2)
    // 0.9 of 100 has a standard deviation of 0.03.
    method.validated!(now, [0.9, 0.9, 0.88], heldOut)
    expect(now.overfit).toBe(false)
    method.validated!(now, [0.9, 0.9, 0.86], heldOut)
    expect(now.overfit).toBe(true)
  })

  it('ends after half of the epochs', () => {
    const now = state(lost)
    withWarmUp(rlvi(), few).endEpoch!(now, info(5))
    expect(now.clean[3]).toBeLessThan(0.2)
  })

  it('leaves methods that do not weigh alone', () => {
    const method = standard()
    expect(withWarmUp(method, few)).toBe(method)
  })
})
