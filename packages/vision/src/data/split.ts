import { RlviError } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'

/** Which samples are trained on, and which are held out. */
export interface Split {
  readonly train: Int32Array
  readonly validation: Int32Array
}

/**
 * Nine tenths to train on, the rest to validate on, by seed. Labels get their noise before, so that the validation
 * labels are as noisy as the others. Both parts are in ascending order.
 */
export function split(n: number, seed: number, share = 0.9): Split {
  if (!(share > 0 && share <= 1)) throw new RlviError('split', 'a share above 0 and up to 1 is needed', share)
  const order = shuffle(range(n), draws(seed, 'split'))
  const size = Math.floor(share * n)
  return { train: order.slice(0, size).sort(), validation: order.slice(size).sort() }
}

/** The order in which an epoch takes its samples. */
export function epochOrder(samples: Int32Array, seed: number, epoch: number): Int32Array {
  return shuffle(samples.slice(), draws(seed, 'order', epoch))
}

/** Fisher and Yates: every order is equally probable. In place. */
export function shuffle(values: Int32Array, random: Draws): Int32Array {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random.uniform(0, i + 1))
    const value = values[i]!
    values[i] = values[j]!
    values[j] = value
  }
  return values
}

export function range(n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => i)
}

/** The values at some places, in their order: a loop, since every network takes those of all its samples in every epoch. */
export function valuesAt(values: ArrayLike<number>, places: Int32Array): Int32Array {
  const out = new Int32Array(places.length)
  for (let k = 0; k < out.length; k++) out[k] = values[places[k]!]!
  return out
}
