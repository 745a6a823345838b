import { RlviError } from 'rlvi'
import { draws } from 'rlvi/random'
import type { Labels, Samples } from '../data/image-set.js'
import { addNoise, type NoiseOptions, type NoisyLabels, scored } from './noise.js'

/** CIFAR80N-O: of CIFAR-100's classes the last twenty are out of distribution. */
export const KNOWN_CLASSES = 80

/**
 * Open-set noise: images of classes from `known` on are out of distribution, and each gets one of the known classes at
 * random; the others get the noise that was asked for. Every label of an out-of-distribution image is wrong. The truth keeps
 * their own classes.
 */
export function openSetNoise(
  set: Samples,
  options: NoiseOptions,
  known: number = KNOWN_CLASSES,
): NoisyLabels {
  if (!(known >= 2 && known < set.classes.length)) {
    const rule = `known and unknown classes among ${set.classes.length} classes are needed`
    throw new RlviError('open-set noise', rule, known)
  }
  if (options.type === 'instance')
    throw new RlviError('open-set noise', 'symmetric, asymmetric or pairflip noise is needed', options.type)
  const truth = set.labels
  const inside = indicesWhere(truth, (label) => label < known)
  const noisy = addNoise(
    { ...set, name: 'cifar80no', classes: set.classes.slice(0, known), labels: inside.labels },
    options,
  )
  // The key of the draws stays as it was first called: the same seed gives the same labels in every version.
  const random = draws(options.seed, 'noise', 'strangers')
  const given = truth.map(() => Math.floor(random.uniform(0, known)))
  for (const [at, i] of inside.indices.entries()) given[i] = noisy.given[at]!
  const share = inside.indices.length / truth.length
  const expected = 1 - share + share * noisy.expected
  const { transition } = noisy
  return { ...scored(given, truth, expected), ...(transition === undefined ? {} : { transition }) }
}

function indicesWhere(
  labels: Labels,
  holds: (label: number) => boolean,
): { indices: number[]; labels: Labels } {
  const indices: number[] = []
  for (let i = 0; i < labels.length; i++) if (holds(labels[i]!)) indices.push(i)
  return { indices, labels: Uint8Array.from(indices, (i) => labels[i]!) }
}
