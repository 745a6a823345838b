import { RlviError } from 'rlvi'
import { draws } from 'rlvi/random'
import type { Labels, Samples } from '../data/image-set.js'
import { drawExactly, drawLabels } from './draw.js'
import { instanceNoise } from './instance.js'
import { asymmetricMap } from './maps.js'
import { asymmetric, checkRate, flipShare, pairflip, symmetric, type Transition } from './transition.js'

/** The kinds of label noise. */
export const noiseTypes = ['symmetric', 'asymmetric', 'pairflip', 'instance'] as const
/** A kind of label noise. */
export type NoiseType = (typeof noiseTypes)[number]

/** Noise to be made on purpose. */
export interface NoiseOptions {
  readonly type: NoiseType
  /** e: the probability of a flip, of every class or, under asymmetric noise, of the classes in the map. */
  readonly rate: number
  readonly seed: number
}

/** Labels with noise, and the truth, which scoring needs and training must not see. */
export interface NoisyLabels {
  /** What training is given. */
  readonly given: Labels
  /** What the labels were. */
  readonly truth: Labels
  /** 1 where the given label is wrong. */
  readonly corrupt: Uint8Array
  /** The noise as a matrix, where it is one: instance noise is not. */
  readonly transition?: Transition
  /** The share of wrong labels that the noise has on average, known before it is drawn. */
  readonly expected: number
}

/**
 * Noise on the labels of a set: the same for the same set, type, rate and seed.
 *
 * @example
 * const { given, corrupt } = addNoise(train, { type: 'pairflip', rate: 0.45, seed: 1 })
 */
export function addNoise(set: Samples, { type, rate, seed }: NoiseOptions): NoisyLabels {
  checkRate('rate', rate)
  const truth = set.labels
  if (type === 'instance') {
    const { given, flipRates } = instanceNoise(set, rate, seed)
    return scored(given, truth, flipRates.reduce((sum, q) => sum + q, 0) / flipRates.length)
  }
  const { transition, exact } = transitionOf(set, type, rate)
  const random = draws(seed, 'noise', type, rate)
  const given =
    exact === undefined ? drawLabels(truth, transition, random) : drawExactly(truth, rate, exact, random)
  return { ...scored(given, truth, flipShare(transition, counts(truth, transition.classes))), transition }
}

/** Labels as they are, in the form that noise gives. */
export function noNoise(truth: Labels): NoisyLabels {
  return scored(truth, truth, 0)
}

/** Given labels beside the true ones. */
export function scored(given: Labels, truth: Labels, expected: number): NoisyLabels {
  const corrupt = Uint8Array.from(given, (label, i) => (label === truth[i] ? 0 : 1))
  return { given, truth, corrupt, expected }
}

function transitionOf(
  { classes: { length: classes }, name }: Samples,
  type: Exclude<NoiseType, 'instance'>,
  rate: number,
): { transition: Transition; exact?: ReturnType<typeof asymmetricMap> } {
  if (type === 'symmetric') return { transition: symmetric(classes, rate) }
  if (type === 'pairflip') return { transition: pairflip(classes, rate) }
  const found = asymmetricMap(name)
  if (found === undefined)
    throw new RlviError(
      'asymmetric noise',
      'a data set whose classes have a map is needed (mnist, cifar10, cifar100, cifar80no)',
      name,
      'use symmetric, pairflip or instance noise',
    )
  const transition = asymmetric(classes, rate, found.map)
  return found.mode === 'exact' ? { transition, exact: found } : { transition }
}

function counts(labels: Labels, classes: number): Float64Array {
  const result = new Float64Array(classes)
  for (const label of labels) result[label]! += 1
  return result
}
