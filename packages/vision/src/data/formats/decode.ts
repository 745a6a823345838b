import { phrase, RlviError } from 'rlvi'
import type { Sharp } from 'sharp'
import { isTooLarge, largestPicture, loadSharp, withPicture } from './image-library.js'

/** How an image becomes one of a set: all of them have the same size and channels. */
export interface Decoding {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
  /**
   * `crop`: the short side to the size, and the middle of it. `stretch`: both sides to the size. `pad`: the long side to
   * the size, black beside it. Default `crop`.
   */
  readonly fit?: 'crop' | 'stretch' | 'pad'
  /** With `crop`: the short side before the middle is cut out, if it is to be larger than the size. */
  readonly short?: number
}

/**
 * An image file as channels x height x width bytes. Turned upright as its camera says; what is transparent becomes white;
 * of a moving image the first frame.
 */
export async function decode(path: string, decoding: Decoding): Promise<Uint8Array> {
  // A library that is not there, or a limit that is no number, is no fault of the picture.
  await loadSharp()
  largestPicture()
  try {
    return await withPicture(path, { autoOrient: true }, (picture) => pixelsOf(picture, decoding))
  } catch (error) {
    throw unreadableImage(path, error)
  }
}

async function pixelsOf(picture: Sharp, decoding: Decoding): Promise<Uint8Array> {
  const { width, height, channels, fit = 'crop', short } = decoding
  let image = picture.flatten({ background: '#ffffff' })
  // A triangle as wide as the reduction: what torchvision calls bilinear with antialiasing.
  const kernel = 'linear'
  if (fit === 'crop' && short !== undefined && short > Math.min(width, height)) {
    const scale = short / Math.min(width, height)
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)]
    const [left, top] = [(w - width) >> 1, (h - height) >> 1]
    image = image.resize({ width: w, height: h, fit: 'cover', kernel }).extract({ left, top, width, height })
  } else {
    const way = ({ crop: 'cover', stretch: 'fill', pad: 'contain' } as const)[fit]
    image = image.resize({ width, height, fit: way, kernel, background: '#000000' })
  }
  image = channels === 1 ? image.greyscale().toColourspace('b-w') : image.toColourspace('srgb')
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return planar(data, width * height, info.channels, channels)
}

/** From pixel by pixel to channel by channel; a channel too many (transparency) is left out. */
function planar(data: Uint8Array, pixels: number, found: number, channels: number): Uint8Array {
  if (found < channels || data.length !== pixels * found)
    throw new Error(`${data.length} bytes in ${found} channels`)
  if (found === 1) return data
  const out = new Uint8Array(channels * pixels)
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < pixels; p++) out[c * pixels + p] = data[p * found + c]!
  return out
}

function unreadableImage(path: string, error: unknown): RlviError {
  const message = error instanceof Error ? error.message : String(error)
  const said = message.split('\n')[0]!.replaceAll(path, 'the file')
  if (isTooLarge(error)) {
    const rule = `at most ${largestPicture()} pixels are needed`
    return new RlviError(path, rule, phrase('more'), 'scale it down, or set RLVI_MAX_PIXELS to more')
  }
  const todo = 'repair the image or take it out of the folder'
  return new RlviError(path, 'an image that can be read is needed', phrase(said), todo)
}

/** Loads the image library ahead of its use; where it is not installed, the error says how to have it. */
export async function needImageLibrary(): Promise<void> {
  await loadSharp()
}
