import { readFileSync } from 'node:fs'
import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import type { ImageSet } from '../data/image-set.js'
import { wholeShare } from './draw.js'
import { instanceNoise } from './instance.js'
import { asymmetricMap } from './maps.js'
import { addNoise } from './noise.js'
import { openSetNoise } from './open-set.js'
import { asymmetric, flipShare, pairflip, symmetric, type Transition } from './transition.js'

interface Matrix {
  readonly type: string
  readonly C: number
  readonly rate: number
  readonly dataset?: string
  readonly rows: Readonly<Record<string, readonly number[]>>
  readonly full: readonly (readonly number[])[] | null
  readonly class_prior?: string
  readonly expected_flip_fraction: number
}

interface FlipRates {
  readonly rate: number
  readonly mean: number
  readonly std: number
  readonly quantiles: Readonly<Record<string, number>>
  readonly expected_flip_fraction: number
}

interface Golden {
  readonly matrices: readonly Matrix[]
  readonly asymmetric_maps: Readonly<Record<string, { map: Record<string, number>; mode: string }>>
  readonly monte_carlo: ReadonlyArray<{ n: number; rate: number; band99_flip_fraction: [number, number] }>
  readonly cifar10_asymmetric_exact: ReadonlyArray<{
    rate: number
    per_source_class: number
    fraction: number
  }>
  readonly instance: { readonly flip_rate_distribution: readonly FlipRates[] }
  readonly cifar80no: { ood_train_images: number; total_noise: Readonly<Record<string, number>> }
}

const golden: Golden = JSON.parse(readFileSync(new URL('../../golden/noise.json', import.meta.url), 'utf8'))

/** Tiny images of random pixels, the classes in turn. */
function images(name: string, classes: number, n: number, side = 2): ImageSet {
  const random = draws('noise test images', n)
  return {
    name,
    classes: Array.from({ length: classes }, (_, k) => String(k)),
    width: side,
    height: side,
    channels: 1,
    labels: Uint8Array.from({ length: n }, (_, i) => i % classes),
    pixels: Uint8Array.from({ length: n * side * side }, () => random.uniform(0, 256)),
  }
}

function share(mask: ArrayLike<number>): number {
  return Array.from(mask).reduce((sum, bit) => sum + bit, 0) / mask.length
}

describe('transition matrices', () => {
  const make = (entry: Matrix): Transition => {
    if (entry.type === 'symmetric') return symmetric(entry.C, entry.rate)
    if (entry.type === 'pairflip') return pairflip(entry.C, entry.rate)
    const name = entry.dataset === 'cifar80' ? 'cifar80no' : entry.dataset!
    return asymmetric(entry.C, entry.rate, asymmetricMap(name)!.map)
  }

  it.each(golden.matrices)('$type $dataset $C $rate', (entry) => {
    const { classes, probabilities } = make(entry)
    expect(classes).toBe(entry.C)
    const row = (k: number) => Array.from(probabilities.subarray(k * classes, (k + 1) * classes))
    for (const [k, expected] of Object.entries(entry.rows)) {
      for (const [j, p] of row(Number(k)).entries()) expect(p).toBeCloseTo(expected[j], 11)
    }
    for (const [k, expected] of (entry.full ?? []).entries())
      for (const [j, p] of row(k).entries()) expect(p).toBeCloseTo(expected[j], 11)
    for (let k = 0; k < classes; k++) expect(row(k).reduce((a, b) => a + b)).toBeCloseTo(1, 12)
    const prior = /\[(.*)\]/.exec(entry.class_prior ?? '')?.[1]
    const counts = prior === undefined ? new Float64Array(classes).fill(1) : prior.split(',').map(Number)
    expect(flipShare(make(entry), counts)).toBeCloseTo(entry.expected_flip_fraction, 9)
  })

  it.each(Object.entries(golden.asymmetric_maps))('the map of %s', (name, { map, mode }) => {
    const ours = asymmetricMap(name === 'cifar80' ? 'cifar80no' : name)!
    expect(Object.fromEntries(ours.map)).toEqual(map)
    expect(ours.mode).toBe(mode.startsWith('EXACTLY') ? 'exact' : 'independent')
  })

  it('refuses what is no noise', () => {
    expect(() => symmetric(1, 0.2)).toThrow('at least two classes are needed, got 1')
    expect(() => pairflip(10, 45)).toThrow('a rate from 0 to 1 is needed, got 45; give it as a share')
    expect(() => pairflip(10, Number.NaN)).toThrow('got NaN')
    expect(() => asymmetric(3, 0.2, new Map([[1, 3]]))).toThrow('a map between the 3 classes is needed')
    expect(() => addNoise(images('mine', 3, 9), { type: 'asymmetric', rate: 0.2, seed: 0 })).toThrow(
      'use symmetric, pairflip or instance noise',
    )
  })
})

describe('drawn labels', () => {
  it.each(golden.monte_carlo.filter((entry) => entry.n <= 50_000))(
    'flips $rate of $n within the 99 % band',
    ({ n, rate, band99_flip_fraction: [low, high] }) => {
      const set = images('mnist', 10, n)
      for (const type of ['symmetric', 'pairflip'] as const) {
        const { given, truth, corrupt, expected } = addNoise(set, { type, rate, seed: 1 })
        expect(truth).toBe(set.labels)
        expect(expected).toBeCloseTo(rate, 12)
        expect(share(corrupt)).toBeGreaterThan(low)
        expect(share(corrupt)).toBeLessThan(high)
        expect(corrupt.findIndex((bit, i) => (bit === 1) !== (given[i] !== truth[i]))).toBe(-1)
      }
    },
  )

  it('follows its matrix in every cell', () => {
    const n = 100_000
    const { given, truth, transition } = addNoise(images('mnist', 10, n), {
      type: 'symmetric',
      rate: 0.45,
      seed: 3,
    })
    const seen = new Float64Array(100)
    for (let i = 0; i < n; i++) seen[10 * truth[i] + given[i]] += 10 / n
    // Chi-squared of 10 rows with 9 degrees each: mean 90, sd 13.4.
    let chi = 0
    for (const [k, p] of transition!.probabilities.entries()) chi += ((n / 10) * (seen[k] - p) ** 2) / p
    expect(Math.abs(chi - 90)).toBeLessThan(4 * Math.sqrt(180))
  })

  it('pairflip and the map of mnist only go where they may', () => {
    const set = images('mnist', 10, 5000)
    const pair = addNoise(set, { type: 'pairflip', rate: 0.45, seed: 0 })
    for (let i = 0; i < 5000; i++) expect([pair.truth[i], (pair.truth[i] + 1) % 10]).toContain(pair.given[i])
    const { given, truth } = addNoise(set, { type: 'asymmetric', rate: 0.45, seed: 0 })
    const map = asymmetricMap('mnist')!.map
    for (let i = 0; i < 5000; i++) expect([truth[i], map.get(truth[i])]).toContain(given[i])
  })

  it.each(golden.cifar10_asymmetric_exact)('cifar10 asymmetric at $rate is exact', (entry) => {
    const set = images('cifar10', 10, 50_000, 1)
    const { corrupt, truth, expected } = addNoise(set, { type: 'asymmetric', rate: entry.rate, seed: 2 })
    const per = new Array(10).fill(0)
    for (let i = 0; i < 50_000; i++) per[truth[i]] += corrupt[i]
    const n = entry.per_source_class
    expect(per).toEqual([0, 0, n, n, n, n, 0, 0, 0, n])
    expect(expected).toBeCloseTo(entry.fraction, 12)
  })

  it('rounds a share down, but not because of floating point', () => {
    expect(wholeShare(0.29, 100)).toBe(29)
    expect(wholeShare(0.45, 5)).toBe(2)
    expect(wholeShare(0, 5)).toBe(0)
    expect(wholeShare(1, 5)).toBe(5)
  })

  it('is the same for the same seed, and has ends', () => {
    const set = images('mnist', 10, 2000)
    for (const type of ['symmetric', 'asymmetric', 'pairflip', 'instance'] as const) {
      const of = (rate: number, seed: number) => Array.from(addNoise(set, { type, rate, seed }).given)
      expect(of(0.45, 7)).toEqual(of(0.45, 7))
      expect(of(0.45, 7)).not.toEqual(of(0.45, 8))
      if (type !== 'instance') expect(of(0, 7)).toEqual(Array.from(set.labels))
    }
    expect(share(addNoise(set, { type: 'pairflip', rate: 1, seed: 0 }).corrupt)).toBe(1)
  })
})

describe('instance noise', () => {
  it.each(golden.instance.flip_rate_distribution)('flip rates about $rate', (entry) => {
    const n = 40_000
    const { flipRates, given } = instanceNoise(images('mnist', 10, n, 1), entry.rate, 5)
    const mean = flipRates.reduce((sum, q) => sum + q, 0) / n
    expect(Math.abs(mean - entry.mean)).toBeLessThan((4 * entry.std) / Math.sqrt(n))
    const sorted = flipRates.slice().sort()
    for (const [p, quantile] of Object.entries(entry.quantiles)) {
      // The share of draws below the true quantile is binomial.
      const below = sorted.findIndex((q) => q >= quantile) / n
      expect(Math.abs(below - Number(p))).toBeLessThan(4 * Math.sqrt((Number(p) * (1 - Number(p))) / n))
    }
    const flipped = Array.from(given).filter((label, i) => label !== i % 10).length / n
    const sd = Math.sqrt((entry.expected_flip_fraction * (1 - entry.expected_flip_fraction)) / n)
    expect(Math.abs(flipped - entry.expected_flip_fraction)).toBeLessThan(4 * sd)
  })

  it('takes the wrong class from the image and its class', () => {
    // Copies of five images: wrong labels of one image in one class agree, because its logits are far apart.
    const few = images('mnist', 5, 5, 8)
    const n = 5000
    const pixels = new Uint8Array(n * 64)
    for (let i = 0; i < n; i++) pixels.set(few.pixels.subarray((i % 5) * 64, ((i % 5) + 1) * 64), i * 64)
    const labels = Uint8Array.from({ length: n }, (_, i) => i % 5)
    const copies: ImageSet = { ...few, labels, pixels }
    const { given } = instanceNoise(copies, 0.45, 1)
    for (let k = 0; k < 5; k++) {
      const wrong = new Set(given.filter((label, i) => i % 5 === k && label !== k))
      expect(wrong.size).toBe(1)
    }
    // Another image of the same class goes elsewhere at least once.
    const negative: ImageSet = { ...copies, pixels: pixels.map((x) => 255 - x) }
    const other = instanceNoise(negative, 0.45, 1)
    expect(Array.from(other.given)).not.toEqual(Array.from(given))
  })
})

describe('CIFAR80N-O', () => {
  const constants = golden.cifar80no

  it.each([0.2, 0.45])('has the total noise of the construction at %f', (rate) => {
    const set = images('cifar100', 100, 50_000, 1)
    for (const type of ['symmetric', 'pairflip', 'asymmetric'] as const) {
      const { given, truth, corrupt, expected } = openSetNoise(set, { type, rate, seed: 4 })
      expect(expected).toBeCloseTo(constants.total_noise[String(rate)], 12)
      const outside = new Float64Array(80)
      expect(Math.max(...new Set(given))).toBeLessThan(80)
      for (let i = 0; i < 50_000; i++) if (truth[i] >= 80 && corrupt[i] === 1) outside[given[i]]++
      expect(outside.reduce((a, b) => a + b)).toBe(constants.ood_train_images)
      // Uniform on 80 labels: chi-squared with 79 degrees.
      const each = constants.ood_train_images / 80
      const chi = outside.reduce((sum, count) => sum + (count - each) ** 2 / each, 0)
      expect(Math.abs(chi - 79)).toBeLessThan(4 * Math.sqrt(158))
      const sd = Math.sqrt((rate * (1 - rate)) / 40_000) * 0.8
      expect(Math.abs(share(corrupt) - expected)).toBeLessThan(4 * sd)
    }
  })

  it('leaves out-of-distribution images out of the noise on the known classes', () => {
    const set = images('cifar100', 100, 5000, 1)
    const { given, truth } = openSetNoise(set, { type: 'pairflip', rate: 0.45, seed: 0 })
    for (let i = 0; i < 5000; i++)
      if (truth[i] < 80) expect([truth[i], (truth[i] + 1) % 80]).toContain(given[i])
    expect(() => openSetNoise(images('x', 10, 20), { type: 'pairflip', rate: 0.2, seed: 0 })).toThrow(
      'got 80',
    )
  })
})
