import { expect, it } from 'vitest'
import type { ImageSet } from '../image-set.js'
import { range } from '../split.js'
import { openLoader } from './loader.js'
import { cifarPreparation, food101Preparation } from './transform.js'

const set: ImageSet = {
  name: 'random',
  classes: ['a', 'b', 'c'],
  channels: 3,
  height: 8,
  width: 6,
  pixels: Uint8Array.from({ length: 10 * 3 * 8 * 6 }, (_, i) => (i * 7919) % 251),
  labels: Uint8Array.from({ length: 10 }, (_, i) => i % 3),
}

it('gives the bytes, moves and flips of the very values that it would prepare', async () => {
  const loader = openLoader(set, { batch: 4, seed: 5, threads: 0 })
  const pass = { order: range(10).reverse(), transform: cifarPreparation.train, epoch: 3, start: 1 }
  const prepared: { x: Float32Array; y: Int32Array }[] = []
  for await (const { x, y } of loader.batches(pass)) prepared.push({ x: x.slice(), y: y.slice() })
  let k = 0
  for await (const { x, y } of loader.stored(pass)!) {
    const { images, samples, moves } = x
    const [c, h, w] = images.image
    const values = Float32Array.from({ length: samples.length * c * h * w }, (_, p) => {
      const [s, i, j] = [Math.floor(p / (c * h * w)), Math.floor(p / w) % h, p % w]
      const channel = Math.floor(p / (h * w)) % c
      const [down, right, flips] = moves!.subarray(3 * s, 3 * s + 3)
      const a = ((flips! & 2) !== 0 ? h - 1 - i : i) + down!
      const b = ((flips! & 1) !== 0 ? w - 1 - j : j) + right!
      const isInside = a >= 0 && a < h && b >= 0 && b < w
      const byte = isInside ? images.pixels[((samples[s]! * c + channel) * h + a) * w + b]! : 0
      return images.values[channel * 256 + byte]!
    })
    expect(values).toEqual(prepared[k]!.x)
    expect(y).toEqual(prepared[k]!.y)
    k++
  }
  expect(k).toBe(prepared.length)
})

it('leaves images that are rotated to the host', () => {
  const loader = openLoader(set, { batch: 4, seed: 5, threads: 0 })
  expect(loader.stored({ order: range(10), transform: food101Preparation.train })).toBe(undefined)
})
