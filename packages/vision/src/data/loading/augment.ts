import { draws } from 'rlvi/random'
import type { Transform } from './transform.js'

/** The shape of the images that a stage works on. */
export interface Shape {
  readonly channels: number
  readonly height: number
  readonly width: number
}

/** What was drawn for one sample in one epoch. */
export interface Draw {
  readonly left: number
  readonly top: number
  readonly horizontal: boolean
  readonly vertical: boolean
  /** In radians. */
  readonly angles: readonly number[]
}

/** Depends on seed, epoch and sample only: not on the batch, the thread, or what was drawn before. */
export function drawAugmentation(transform: Transform, seed: number, epoch: number, sample: number): Draw {
  const random = draws(seed, 'augment', epoch, sample)
  const windows = 2 * (transform.padding ?? 0) + 1
  const left = Math.floor(random.uniform(0, windows))
  const top = Math.floor(random.uniform(0, windows))
  const flip = (way: 'horizontal' | 'vertical'): boolean =>
    random.uniform(0, 1) < 0.5 && (transform.flips ?? []).includes(way)
  const horizontal = flip('horizontal')
  const vertical = flip('vertical')
  const angles = (transform.rotations ?? []).map((most) => (random.uniform(-most, most) * Math.PI) / 180)
  return { left, top, horizontal, vertical, angles }
}

/**
 * The window and the flips, from `pixels` at `start` into `out`. The window begins at (left, top) of the image with
 * `padding` black pixels around it; flips come after.
 */
export function cropAndFlip(
  pixels: Uint8Array,
  start: number,
  { channels, height, width }: Shape,
  padding: number,
  { left, top, horizontal, vertical }: Draw,
  out: Uint8Array,
): void {
  out.fill(0)
  // Columns x of the window that lie within the image.
  const first = Math.max(0, padding - left)
  const end = Math.min(width, width + padding - left)
  for (let row = 0; row < channels * height; row++) {
    const y = row % height
    const from = (vertical ? height - 1 - y : y) + top - padding
    if (from < 0 || from >= height) continue
    const source = start + (row - y + from) * width + left - padding
    const target = row * width
    if (horizontal) for (let x = first; x < end; x++) out[target + width - 1 - x] = pixels[source + x]!
    else for (let x = first; x < end; x++) out[target + x] = pixels[source + x]!
  }
}

/** Turned about the middle; each pixel takes the nearest, black from outside. */
export function rotate(
  pixels: Uint8Array,
  { channels, height, width }: Shape,
  angle: number,
  out: Uint8Array,
): void {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const plane = height * width
  for (let y = 0; y < height; y++) {
    const dy = y + 0.5 - height / 2
    for (let x = 0; x < width; x++) {
      const dx = x + 0.5 - width / 2
      const sx = Math.floor(cos * dx + sin * dy + width / 2)
      const sy = Math.floor(cos * dy - sin * dx + height / 2)
      const inside = sx >= 0 && sx < width && sy >= 0 && sy < height
      const source = sy * width + sx
      const target = y * width + x
      for (let c = 0; c < channels; c++) out[c * plane + target] = inside ? pixels[c * plane + source]! : 0
    }
  }
}
