import { join } from 'node:path'
import { RlviError } from 'rlvi'
import { imageSize, isInMemory, isOnDisk, type Samples } from '../image-set.js'
import { decode } from './decode.js'
import { loadSharp, withPicture } from './image-library.js'

/** One image of a set as a PNG file's bytes, for people to look at. */
export async function picture(set: Samples, index: number): Promise<Uint8Array> {
  if (!(Number.isInteger(index) && index >= 0 && index < set.labels.length))
    throw new RlviError('picture', `an index below ${set.labels.length} is needed`, index)
  const sharp = await loadSharp()
  const { width, height, channels } = set
  const planes = await bytesOf(set, index)
  const plane = width * height
  const pixels = new Uint8Array(planes.length)
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < plane; p++) pixels[p * channels + c] = planes[c * plane + p]!
  return sharp(pixels, { raw: { width, height, channels } }).png().toBuffer()
}

/** A picture for a page. */
export interface Thumbnail {
  readonly bytes: Uint8Array
  readonly type: 'png' | 'jpeg'
}

/** Up to this side every pixel is kept as it is. */
const PIXELS = 64

/**
 * The picture as it was given, not as a network sees it, scaled down to fit a square of `side` pixels. What has no file of
 * its own is taken from the set.
 */
export async function original(set: Samples, index: number, side = 240): Promise<Thumbnail> {
  const path = set.paths?.[index]
  if (set.root === undefined || path === undefined) return { bytes: await picture(set, index), type: 'png' }
  const sharp = await loadSharp()
  const { data, info } = await withPicture(join(set.root, path), { autoOrient: true }, (whole) =>
    whole
      .flatten({ background: '#ffffff' })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png()
      .toBuffer({ resolveWithObject: true }),
  )
  if (Math.max(info.width, info.height) <= PIXELS) return { bytes: data, type: 'png' }
  return { bytes: await sharp(data).jpeg({ quality: 80 }).toBuffer(), type: 'jpeg' }
}

async function bytesOf(set: Samples, index: number): Promise<Uint8Array> {
  const size = imageSize(set)
  if (isInMemory(set)) return set.pixels.subarray(index * size, (index + 1) * size)
  if (isOnDisk(set)) return decode(join(set.folder, set.paths[index]!), set)
  throw new RlviError(set.name, 'images in memory or on disk are needed', 'neither')
}
