import { describe, expect, it } from 'vitest'
import { expectNear } from '../../testing/golden.js'
import { initialState } from '../state.js'
import { hasDropped, rlvi } from './rlvi.js'

/** Losses with the weights and the threshold that high-precision arithmetic gives them by the paper's rule. */
const losses = [0.05, 0.1, 0.2, 0.02, 3, 4, 0.5, 2.5, 0.01, 1]
const weights = [
  0.9608039235, 0.9139614289, 0.8270141541, 0.9900536212, 0.05030580509, 0.01850669772, 0.6127176479,
  0.08293921026, 1, 0.3716664889,
]
const threshold = 0.9139614289
/** What is predicted of held-out samples does not matter to it. */
const heldOut = { predictions: [], labels: [], classes: 10 }

describe('Algorithm 2', () => {
  const method = rlvi()
  const epoch = { epoch: 1, epochs: 10, classes: 10, labels: losses.map(() => 0) }

  it("takes the weights from the paper's E-step", () => {
    const state = initialState(losses.length)
    state.losses.set(losses)
    method.endEpoch?.(state, epoch)
    expectNear(state.clean, weights, 1e-9)
    expect(state.threshold).toBe(0)
  })

  it('truncates once the validation accuracy has dropped; the threshold never falls', () => {
    const state = initialState(losses.length)
    state.losses.set(losses)
    method.validated?.(state, [0.5, 0.6, 0.54], heldOut)
    expect(state.overfit).toBe(true)
    method.endEpoch?.(state, epoch)
    expect(state.threshold).toBeCloseTo(threshold, 9)
    expectNear(
      state.clean,
      weights.map((w) => (w < threshold - 1e-9 ? 0 : w)),
      1e-9,
    )
    // By themselves the next epoch's losses would allow the weight e^-0.5 = 0.61: of 8.39 wrong it holds less than 5 %.
    method.validated?.(state, [0.5, 0.6, 0.54, 0.9], heldOut)
    expect(state.overfit).toBe(true)
    state.losses.set(losses.map((_, i) => [0, 0.5][i] ?? 30))
    method.endEpoch?.(state, epoch)
    expect(state.threshold).toBeCloseTo(threshold, 9)
    expect(Array.from(state.clean)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  it('a drop is below the mean of the two epochs before', () => {
    expect(hasDropped([0.9, 0.1])).toBe(false)
    expect(hasDropped([0.5, 0.6, 0.55])).toBe(false)
    expect(hasDropped([0.5, 0.6, 0.549])).toBe(true)
    expect(hasDropped([0.1, 0.9, 0.5, 0.6, 0.549])).toBe(true)
    expect(hasDropped([0.5, 0.6, 0.549, 0.7])).toBe(false)
  })

  it('without truncation no drop matters', () => {
    const state = initialState(losses.length)
    rlvi({ truncation: 'never' }).validated?.(state, [0.5, 0.6, 0.1], heldOut)
    expect(state.overfit).toBe(false)
  })

  it('the losses of the first public code are scaled by 2 sqrt(mean x median) above 1', () => {
    const scale = 2 * Math.sqrt(1.138 * 0.35)
    const [plain, scaled] = [false, true].map((scaledLosses) => {
      const state = initialState(losses.length)
      state.losses.set(losses.map((loss) => (scaledLosses ? loss * scale : loss)))
      rlvi({ scaledLosses }).endEpoch?.(state, epoch)
      return state.clean
    })
    // Scaled up by s, and so is their scale: down by s^2 x s / s.
    const state = initialState(losses.length)
    const twice = 2 * Math.sqrt(1.138 * scale * 0.35 * scale)
    state.losses.set(losses.map((loss) => (loss * scale) / twice))
    rlvi().endEpoch?.(state, epoch)
    expectNear(scaled, state.clean, 1e-9)
    expect(plain[4]).toBeLessThan(scaled[4])
  })
})
