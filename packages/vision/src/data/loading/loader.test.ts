import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadFood101 } from '../formats/food101.js'
import type { ImageSet, Samples } from '../image-set.js'
import { epochOrder, range } from '../split.js'
import { bytes, testFolder, write, writeFood101 } from '../testing.js'
import { type LoaderOptions, type openLoader as OpenLoader, openLoader, type Pass } from './loader.js'
import {
  cifarPreparation,
  food101Preparation,
  measureScale,
  mnistPreparation,
  ownPreparation,
} from './transform.js'

const folder = testFolder()
const n = 23
const colour: ImageSet = {
  name: 'colour',
  classes: ['a', 'b', 'c'],
  width: 6,
  height: 5,
  channels: 3,
  labels: Uint8Array.from({ length: n }, (_, i) => i % 3),
  pixels: bytes(n * 90, 'colour'),
}
const grey: ImageSet = { ...colour, name: 'grey', channels: 1, pixels: bytes(n * 30, 'grey') }

interface Seen {
  readonly x: number[][]
  readonly y: number[][]
  readonly indices: number[][]
}

async function collect(
  set: Samples,
  pass: Pass,
  options: Partial<LoaderOptions> = {},
  open: typeof OpenLoader = openLoader,
): Promise<Seen> {
  const loader = open(set, { batch: 5, seed: 3, ...options })
  const seen: Seen = { x: [], y: [], indices: [] }
  try {
    for await (const { x, y, indices } of loader.batches(pass)) {
      seen.x.push(Array.from(x))
      seen.y.push(Array.from(y))
      seen.indices.push(Array.from(indices))
    }
  } finally {
    await loader.close()
  }
  return seen
}

const order = epochOrder(range(n), 3, 1)
const augmented: Pass = { order, transform: cifarPreparation.train, epoch: 1 }

describe('batches', () => {
  it('are the samples of the order, scaled by channel, the last one smaller', async () => {
    const { x, y, indices } = await collect(colour, { order, transform: cifarPreparation.test })
    expect(indices.flat()).toEqual(Array.from(order))
    expect(indices.map((part) => part.length)).toEqual([5, 5, 5, 5, 3])
    expect(y.flat()).toEqual(Array.from(order, (i) => i % 3))
    const { mean, sd } = cifarPreparation.test
    const values = x.flat()
    for (const [k, i] of order.entries())
      for (let p = 0; p < 90; p++) {
        const c = Math.floor(p / 30)
        expect(values[k * 90 + p]).toBeCloseTo((colour.pixels[i * 90 + p] / 255 - mean[c]) / sd[c], 5)
      }
  })

  it('take the labels that they are given', async () => {
    const labels = Uint8Array.from({ length: n }, (_, i) => 2 - (i % 3))
    const { y } = await collect(grey, { order, transform: mnistPreparation.train, labels })
    expect(y.flat()).toEqual(Array.from(order, (i) => 2 - (i % 3)))
  })

  it('go on in the middle of an epoch as if they had not been stopped', async () => {
    const whole = await collect(colour, augmented)
    const rest = await collect(colour, { ...augmented, start: 2 })
    expect(rest).toEqual({ x: whole.x.slice(2), y: whole.y.slice(2), indices: whole.indices.slice(2) })
    expect((await collect(colour, { ...augmented, start: 9 })).x).toEqual([])
  })

  it('give a sample the same values in any batch, and others in the next epoch', async () => {
    const inOrder = (seen: Seen) => {
      const values = seen.x.flat()
      const at = new Map(seen.indices.flat().map((i, k) => [i, values.slice(k * 90, (k + 1) * 90)]))
      return Array.from({ length: n }, (_, i) => at.get(i))
    }
    const first = inOrder(await collect(colour, augmented))
    expect(inOrder(await collect(colour, { ...augmented, order: range(n) }, { batch: 4 }))).toEqual(first)
    expect(inOrder(await collect(colour, { ...augmented, epoch: 2 }))).not.toEqual(first)
    expect(inOrder(await collect(colour, augmented, { seed: 4 }))).not.toEqual(first)
  })

  it('pad with black as it is after scaling', async () => {
    const white: ImageSet = { ...colour, pixels: new Uint8Array(n * 90).fill(255) }
    const { mean, sd } = cifarPreparation.train
    const seen = new Set((await collect(white, augmented)).x.flat())
    const expected = [0, 1].flatMap((value) => mean.map((m, c) => Math.fround((value - m) / sd[c])))
    expect(seen).toEqual(new Set(expected))
  })

  it('refuse what does not fit', async () => {
    await expect(
      collect(colour, { order: Int32Array.of(23), transform: augmented.transform }),
    ).rejects.toThrow('samples below 23 are needed, got 23')
    await expect(collect(grey, augmented)).rejects.toThrow('a mean and sd for each of 1 channels is needed')
    await expect(collect(colour, { ...augmented, labels: new Uint8Array(2) })).rejects.toThrow('got 2')
    expect(() => openLoader(colour, { batch: 0, seed: 0 })).toThrow('a size of at least 1 is needed')
  })
})

it('own images are scaled to mean 0 and variance 1', async () => {
  const { mean, sd } = measureScale(colour)
  const values = (await collect(colour, { order, transform: { mean, sd } })).x.flat()
  for (let c = 0; c < 3; c++) {
    const channel = values.filter((_, k) => Math.floor((k % 90) / 30) === c)
    const average = channel.reduce((sum, v) => sum + v, 0) / channel.length
    expect(average).toBeCloseTo(0, 5)
    expect(channel.reduce((sum, v) => sum + v * v, 0) / channel.length).toBeCloseTo(1, 5)
  }
  expect(measureScale({ ...grey, pixels: new Uint8Array(n * 30).fill(51) })).toEqual({ mean: [0.2], sd: [1] })
  expect(ownPreparation(grey).train.flips).toBeUndefined()
})

const built = new URL('../../../dist/data/loading/loader.js', import.meta.url)
const classes = ['apple_pie', 'sushi']

describe.skipIf(!existsSync(fileURLToPath(built)))('on threads', () => {
  const open = async () => ((await import(built.href)) as { openLoader: typeof OpenLoader }).openLoader

  it.each([1, 2, 3])('%i threads give what none gives', async (threads) => {
    const alone = await collect(colour, augmented, { threads: 0 })
    expect(await collect(colour, augmented, { threads, ahead: threads }, await open())).toEqual(alone)
  })

  it('image files too, with the transforms of Food-101', async () => {
    const home = await writeFood101(join(folder, 'food'), classes, 8)
    const set = await loadFood101(home, 'train', 16)
    for (const transform of [food101Preparation.train, { ...food101Preparation.test, short: 18 }]) {
      const pass = { order: epochOrder(range(12), 0, 1), transform, epoch: 1 }
      const alone = await collect(set, pass, { threads: 0 })
      expect(alone.x.flat().length).toBe(12 * 3 * 256)
      expect(await collect(set, pass, { threads: 2 }, await open())).toEqual(alone)
    }
  })

  it('a loader serves many passes, and one that is left early', async () => {
    const loader = (await open())(colour, { batch: 5, seed: 3, threads: 2, ahead: 3 })
    for await (const { indices } of loader.batches(augmented)) {
      expect(indices.length).toBe(5)
      break
    }
    const seen: number[] = []
    for await (const { indices } of loader.batches({ ...augmented, epoch: 2 })) seen.push(...indices)
    expect(seen).toEqual(Array.from(order))
    await loader.close()
  })

  it('an unreadable image is told by its path', async () => {
    const home = await writeFood101(join(folder, 'broken'), classes, 4)
    const set = await loadFood101(home, 'train', 16)
    const path = write(join(home, 'images', set.paths[4]), 'no image')
    const pass = { order: range(6), transform: food101Preparation.train }
    await expect(collect(set, pass, { threads: 2 }, await open())).rejects.toThrow(
      `${path}: an image that can be read is needed`,
    )
  })
})
