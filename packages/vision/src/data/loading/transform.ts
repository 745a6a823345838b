import { RlviError } from 'rlvi'
import { type ImageSet, imageSize } from '../image-set.js'

/** What happens to an image on its way into a batch. Plain data, so that a thread can be told. */
export interface Transform {
  /** By channel, of values between 0 and 1. */
  readonly mean: readonly number[]
  readonly sd: readonly number[]
  /** A random window of the image's own size, after that many black pixels were put around it. */
  readonly padding?: number
  /** Each with probability one half. */
  readonly flips?: ReadonlyArray<'horizontal' | 'vertical'>
  /** Random rotations, one after the other, each by up to that many degrees either way. */
  readonly rotations?: readonly number[]
  /** For image files: the short side before the middle is cut out; without it, the size of the set. */
  readonly short?: number
}

/** How a data set's images are prepared for training, and for everything else. */
export interface Preparation {
  readonly train: Transform
  readonly test: Transform
}

const mnistScale = { mean: [0.1307], sd: [0.3081] }
const cifarScale = { mean: [0.4914, 0.4822, 0.4465], sd: [0.2023, 0.1994, 0.201] }
const imageNetScale = { mean: [0.485, 0.456, 0.406], sd: [0.229, 0.224, 0.225] }

export const mnistPreparation: Preparation = { train: mnistScale, test: mnistScale }

/** For CIFAR-10 and CIFAR-100 alike, as the released code has it. */
export const cifarPreparation: Preparation = {
  train: { ...cifarScale, padding: 4, flips: ['horizontal'] },
  test: cifarScale,
}

export const food101Preparation: Preparation = {
  train: { ...imageNetScale, flips: ['horizontal', 'vertical'], rotations: [45, 45] },
  test: { ...imageNetScale, short: 256 },
}

/** For images of one's own: scaled by their own mean and spread; colour images are shifted and mirrored. */
export function ownPreparation(set: ImageSet): Preparation {
  const scale = measureScale(set)
  if (set.channels === 1) return { train: scale, test: scale }
  const padding = Math.round(set.width / 8)
  return { train: { ...scale, padding, flips: ['horizontal'] }, test: scale }
}

/** For image files that are not in memory: measuring them would mean to read them all. */
export const filesPreparation: Preparation = {
  train: { ...imageNetScale, flips: ['horizontal'] },
  test: imageNetScale,
}

/** The mean and standard deviation of each channel, of values between 0 and 1. */
export function measureScale(set: ImageSet): Pick<Transform, 'mean' | 'sd'> {
  const plane = set.width * set.height
  const size = imageSize(set)
  const counts = Array.from({ length: set.channels }, () => new Float64Array(256))
  for (let i = 0; i < set.pixels.length; i++) counts[Math.floor((i % size) / plane)]![set.pixels[i]!]! += 1
  const n = plane * set.labels.length
  const mean = counts.map((count) => count.reduce((sum, c, value) => sum + c * value, 0) / n / 255)
  const sd = counts.map((count, k) =>
    Math.sqrt(count.reduce((sum, c, value) => sum + c * (value / 255 - mean[k]!) ** 2, 0) / n),
  )
  // A channel that never varies carries nothing, and must not become infinite.
  return { mean, sd: sd.map((value) => (value > 1e-6 ? value : 1)) }
}

/** Whether every epoch sees the same values. */
export function isFixed({ padding, flips, rotations }: Transform): boolean {
  return padding === undefined && (flips ?? []).length === 0 && (rotations ?? []).length === 0
}

/** What each byte becomes: channels x 256. */
export function lookupTable({ mean, sd }: Transform, channels: number): Float32Array {
  if (mean.length !== channels || sd.length !== channels)
    throw new RlviError('transform', `a mean and sd for each of ${channels} channels is needed`, mean)
  if (sd.some((value) => !(value > 0))) throw new RlviError('transform', 'positive sds are needed', sd)
  const table = new Float32Array(channels * 256)
  for (let c = 0; c < channels; c++)
    for (let value = 0; value < 256; value++) table[c * 256 + value] = (value / 255 - mean[c]!) / sd[c]!
  return table
}
