import { loadPart, type OptionalPart } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import type Sharp from 'sharp'
import type { SharpOptions } from 'sharp'

/** Sharp, which decodes image files. */
export const sharpLibrary: OptionalPart = { name: 'sharp', version: '0.35.5' }

/** A phone's largest pictures have 50 million pixels. An interlaced one is decoded as a whole: so many take 250 MB. */
const LARGEST = 64e6

/** Pixels of the largest picture that is read: of RLVI_MAX_PIXELS, where that is set. */
export function largestPicture(): number {
  const given = process.env.RLVI_MAX_PIXELS
  if (given === undefined || given === '') return LARGEST
  const pixels = Number(given)
  if (Number.isSafeInteger(pixels) && pixels > 0) return pixels
  throw new RlviError('RLVI_MAX_PIXELS', 'a whole number above 0 is needed', given)
}

/** A picture, opened: what its file says of its size is held to the limit before anything is decoded. */
export async function openPicture(
  path: string,
  options: SharpOptions = {},
): Promise<ReturnType<typeof Sharp>> {
  const sharp = await loadSharp()
  return sharp(path, { ...options, limitInputPixels: largestPicture() })
}

/** The image library, loaded when it is first used: who has no image files needs none. */
export async function loadSharp(): Promise<typeof Sharp> {
  return (await loadPart('pictures', sharpLibrary, () => import('sharp'))).default
}
