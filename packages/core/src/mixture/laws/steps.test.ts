import { describe, expect, it } from 'vitest'
import { Steps } from './steps.js'

/** Rounds of x -> f(x) until x moves by less than 1e-9, at most 300. */
function rounds(f: (x: number) => number, start: number): { x: number; count: number; steps: Steps } {
  const steps = new Steps()
  let x = start
  for (let count = 1; count <= 300; count++) {
    const next = x + steps.next * (f(x) - x)
    const moved = Math.abs(next - x)
    x = next
    if (moved < 1e-9) return { x, count, steps }
    steps.add(moved, x)
  }
  return { x, count: Number.POSITIVE_INFINITY, steps }
}

describe('the steps of P(good)', () => {
  it('end between two answers that each side of a border sends to the other, and tell both', () => {
    // No fixed point: below .3 the answer is .5, above it is .2.
    const { x, count, steps } = rounds((at) => (at < 0.3 ? 0.5 : 0.2), 0.4)
    expect(count).toBeLessThan(200)
    expect(x).toBeGreaterThan(0.2)
    expect(x).toBeLessThan(0.5)
    const [low, high] = steps.circle!
    expect(low).toBeLessThan(0.3)
    expect(high).toBeGreaterThan(0.3)
  })

  it('take a turn of two answers to the one between them', () => {
    const { x, steps } = rounds((at) => 1 - at, 0.2)
    expect(x).toBeCloseTo(0.5, 8)
    expect(steps.circle).toBeUndefined()
  })

  it('leave alone what creeps to its end', () => {
    const { x, count, steps } = rounds((at) => 0.7 + 0.85 * (at - 0.7), 0)
    expect(x).toBeCloseTo(0.7, 7)
    expect(count).toBeGreaterThan(100)
    expect(steps.circle).toBeUndefined()
  })
})
