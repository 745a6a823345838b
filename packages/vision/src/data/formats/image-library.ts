import { loadPart, type OptionalPart } from '@rlvi/nn'
import type Sharp from 'sharp'

/** Sharp, which decodes image files. */
export const sharpLibrary: OptionalPart = { name: 'sharp', version: '0.35.5' }

/** The image library, loaded when it is first used: who has no image files needs none. */
export async function loadSharp(): Promise<typeof Sharp> {
  return (await loadPart('pictures', sharpLibrary, () => import('sharp'))).default
}
