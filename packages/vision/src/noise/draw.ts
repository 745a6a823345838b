import { RlviError } from 'rlvi'
import type { Draws } from 'rlvi/random'
import type { Labels } from '../data/image-set.js'
import { shuffle } from '../data/split.js'
import type { AsymmetricMap } from './maps.js'
import type { Transition } from './transition.js'

/** Every label drawn by itself from its class's row. */
export function drawLabels(truth: Labels, { classes, probabilities }: Transition, random: Draws): Labels {
  const given = truth.slice()
  for (let i = 0; i < truth.length; i++) {
    const k = truth[i]!
    if (k >= classes) throw new RlviError(`label ${i}`, `a class below ${classes} is needed`, k)
    given[i] = drawFrom(probabilities, k * classes, classes, k, random.uniform(0, 1))
  }
  return given
}

/** In every class of the map exactly the rate's share, rounded down, chosen without replacement. */
export function drawExactly(truth: Labels, rate: number, { map }: AsymmetricMap, random: Draws): Labels {
  const given = truth.slice()
  for (const [from, to] of map) {
    const members: number[] = []
    for (let i = 0; i < truth.length; i++) if (truth[i] === from) members.push(i)
    const chosen = shuffle(Int32Array.from(members), random)
    for (const i of chosen.subarray(0, wholeShare(rate, members.length))) given[i] = to
  }
  return given
}

/** The rate's share of n, rounded down, though 0.29 x 100 is 28.999…96 in floating point. */
export function wholeShare(rate: number, n: number): number {
  return Math.floor(rate * n + 1e-9 * n)
}

/**
 * The outcome at u of the distribution that starts at `from`. Where rounding lets u past the sum of the probabilities,
 * it is `otherwise`, which is possible whatever they are.
 */
export function drawFrom(
  probabilities: Float64Array,
  from: number,
  size: number,
  otherwise: number,
  u: number,
): number {
  let sum = 0
  for (let j = 0; j < size; j++) {
    sum += probabilities[from + j]!
    if (u < sum) return j
  }
  return otherwise
}
