import { describe, expect, it } from 'vitest'
import { isWarm } from './warm-up.js'

const CLASSES = 10

/** Images that a network is surer of the earlier they come; of the last part it takes every other class for the next one, and that one for it. */
function knownBut(mistaken: number, samples: number, classes = CLASSES) {
  const labels = Int32Array.from({ length: samples }, (_, i) => i % classes)
  const predictions = new Float32Array(samples * classes)
  for (let i = 0; i < samples; i++) {
    const said = i < (1 - mistaken) * samples ? labels[i] : labels[i] ^ 1
    predictions[i * classes + said] = 1 - (0.5 * i) / samples
  }
  return { predictions, labels, classes }
}
/** So many epochs after which shown labels are repeated less often than held-out ones; or from one on more often. */
function epochsOf(done: number, from = Number.POSITIVE_INFINITY) {
  return Array.from({ length: done }, (_, k) => ({ train: k < from ? 0.4 : 0.7, validation: 0.6 }))
}
/** After how many epochs it ends. */
function lasts(mistaken: number, samples: number, epochs: number, classes = CLASSES): number {
  const known = knownBut(mistaken, samples, classes)
  return Array.from({ length: 60 }, (_, done) => epochsOf(done)).findIndex((past) =>
    isWarm(known, past, epochs),
  )
}

describe('the warm-up', () => {
  it('is a tenth of the epochs, at least three, where images are many', () => {
    expect(lasts(0.2, 45_000, 200)).toBe(20)
    expect(lasts(0.2, 54_000, 100)).toBe(10)
    expect(lasts(0.2, 54_000, 8)).toBe(3)
  })

  it('is as long in few images of which a network mistakes less than a tenth', () => {
    expect(lasts(0.09, 9000, 30)).toBe(3)
    expect(lasts(0, 1800, 48)).toBe(5)
  })

  it('goes on in few images while more are mistaken, for 100,000 or half of the epochs', () => {
    expect(lasts(0.11, 20_000, 30)).toBe(5)
    expect(lasts(0.11, 9000, 60)).toBe(12)
    expect(lasts(0.11, 1800, 48)).toBe(24)
  })

  it('lasts for no more than a third with fewer than 100 images of each class', () => {
    expect(lasts(0.11, 1000, 48)).toBe(24)
    expect(lasts(0.11, 990, 48)).toBe(16)
  })

  it('ends of two classes where shown labels are repeated more often than held-out ones ever were, or after a third', () => {
    expect(lasts(0.2, 2000, 48, 2)).toBe(16)
    const known = knownBut(0.2, 2000, 2)
    expect(isWarm(known, epochsOf(9, 9), 48)).toBe(false)
    expect(isWarm(known, epochsOf(10, 9), 48)).toBe(true)
    // Nothing is held out.
    expect(isWarm(known, Array(5).fill({ train: 0.4 }), 48)).toBe(true)
  })

  it('does not end with fewer than 10 images of each class', () => {
    expect(lasts(0.2, 100, 60)).toBe(20)
    expect(lasts(0, 90, 60)).toBe(-1)
  })
})
