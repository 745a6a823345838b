import { join } from 'node:path'
import { RlviError } from 'rlvi'
import { decode } from '../formats/decode.js'
import {
  type ImageFiles,
  type ImageSet,
  imageSize,
  isInMemory,
  isOnDisk,
  type Samples,
} from '../image-set.js'
import { cropAndFlip, drawAugmentation, rotate } from './augment.js'
import { isFixed, lookupTable, type Transform } from './transform.js'

/** What a batch's values depend on, beside the images. */
export interface PassContext {
  readonly transform: Transform
  readonly seed: number
  readonly epoch: number
}

/** The values of some samples of a set in memory, into `x`: samples x channels x height x width. */
export function prepareBatch(
  set: ImageSet,
  samples: Int32Array,
  context: PassContext,
  x: Float32Array,
): void {
  const size = imageSize(set)
  const put = preparer(set, context)
  checkRoom(samples, size, x)
  for (let k = 0; k < samples.length; k++) put(set.pixels, samples[k]! * size, samples[k]!, x, k * size)
}

/** The same for image files. They are decoded in the threads of the image library. */
export async function prepareFiles(
  set: ImageFiles,
  samples: Int32Array,
  context: PassContext,
  x: Float32Array,
): Promise<void> {
  const size = imageSize(set)
  const put = preparer(set, context)
  checkRoom(samples, size, x)
  const { width, height, channels, fit = 'crop' } = set
  const { short } = context.transform
  const decoding = { width, height, channels, fit, ...(short === undefined ? {} : { short }) }
  let next = 0
  const work = async (): Promise<void> => {
    for (let k = next++; k < samples.length; k = next++) {
      const pixels = await decode(join(set.folder, set.paths[samples[k]!]!), decoding)
      put(pixels, 0, samples[k]!, x, k * size)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
}

/** Whichever of the two the set needs. */
export async function prepare(
  set: Samples,
  samples: Int32Array,
  context: PassContext,
  x: Float32Array,
): Promise<void> {
  if (isInMemory(set)) prepareBatch(set, samples, context, x)
  else if (isOnDisk(set)) await prepareFiles(set, samples, context, x)
  else throw new RlviError(set.name, 'images in memory or on disk are needed', 'neither')
}

type Put = (pixels: Uint8Array, start: number, sample: number, x: Float32Array, at: number) => void

/** Puts one image in its place. Made once a batch, with the buffers that it needs. */
function preparer(set: Samples, { transform, seed, epoch }: PassContext): Put {
  const size = imageSize(set)
  const plane = set.width * set.height
  const table = lookupTable(transform, set.channels)
  const normalise = (pixels: Uint8Array, start: number, x: Float32Array, at: number): void => {
    for (let c = 0; c < set.channels; c++) {
      const row = c * 256
      const end = (c + 1) * plane
      for (let p = c * plane; p < end; p++) x[at + p] = table[row + pixels[start + p]!]!
    }
  }
  if (isFixed(transform)) return (pixels, start, _, x, at) => normalise(pixels, start, x, at)
  let image = new Uint8Array(size)
  let turned = new Uint8Array(size)
  return (pixels, start, sample, x, at) => {
    const draw = drawAugmentation(transform, seed, epoch, sample)
    cropAndFlip(pixels, start, set, transform.padding ?? 0, draw, image)
    for (const angle of draw.angles) {
      rotate(image, set, angle, turned)
      ;[image, turned] = [turned, image]
    }
    normalise(image, 0, x, at)
  }
}

function checkRoom(samples: Int32Array, size: number, x: Float32Array): void {
  if (x.length < samples.length * size)
    throw new RlviError('batch', `room for ${samples.length} images of ${size} values is needed`, x.length)
}
