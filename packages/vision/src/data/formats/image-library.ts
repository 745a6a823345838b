import { loadPart, type OptionalPart } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import type Sharp from 'sharp'
import type { SharpOptions } from 'sharp'
import { Room } from './room.js'

/** Sharp, which decodes image files. */
export const sharpLibrary: OptionalPart = { name: 'sharp', version: '0.35.5' }

/** A phone's largest pictures have 50 million pixels. */
const LARGEST = 64e6
/** Pictures of fewer pixels are decoded without a thought: as a whole, in 16 bits a channel, one takes 64 MB. */
const SMALL = 8e6
/** What larger ones that are decoded as a whole, as interlaced ones are, may take together: one of LARGEST in 16 bits. */
const room = new Room(8 * LARGEST)

/** Pixels of the largest picture that is read: of RLVI_MAX_PIXELS, where that is set. */
export function largestPicture(): number {
  const given = process.env.RLVI_MAX_PIXELS
  if (given === undefined || given === '') return LARGEST
  const pixels = Number(given)
  if (Number.isSafeInteger(pixels) && pixels > 0) return pixels
  throw new RlviError('RLVI_MAX_PIXELS', 'a whole number above 0 is needed', given)
}

/**
 * Works on a picture. What its file says of its size is held to the limit before anything is decoded, and large ones that have to
 * be in memory as a whole wait for each other.
 *
 * @param use - may be called twice: for a large picture first in vain
 */
export async function withPicture<Result>(
  path: string,
  options: SharpOptions,
  use: (picture: ReturnType<typeof Sharp>) => Promise<Result>,
): Promise<Result> {
  const sharp = await loadSharp()
  const most = largestPicture()
  const open = (limitInputPixels: number): ReturnType<typeof Sharp> =>
    sharp(path, { ...options, limitInputPixels })
  if (most <= SMALL) return use(open(most))
  try {
    return await use(open(SMALL))
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  return room.use(await wholeSize(open(most)), () => use(open(most)))
}

/** Whether a picture has more pixels than it may have. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /pixel limit/.test(error.message)
}

const SAMPLE_BYTES: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 }

/** The bytes of a picture that is decoded as a whole; 0 of one that is read line by line, as plain JPEG, PNG and TIFF are. */
async function wholeSize(picture: ReturnType<typeof Sharp>): Promise<number> {
  const { width, height, channels, depth, format, isProgressive } = await picture.metadata()
  if (!isProgressive && ['jpeg', 'png', 'tiff'].includes(format)) return 0
  return width * height * channels * (SAMPLE_BYTES[depth] ?? 4)
}

/** The image library, loaded when it is first used: who has no image files needs none. */
export async function loadSharp(): Promise<typeof Sharp> {
  return (await loadPart('pictures', sharpLibrary, () => import('sharp'))).default
}
