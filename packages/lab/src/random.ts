import { randomBeta, randomBinomial, randomGamma, randomNormal, randomUniform } from 'd3-random'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** A reproducible source of random numbers. */
export interface Stream {
  uniform(low: number, high: number): number
  /** Standard normal. */
  normal(): number
  chiSquared(degrees: number): number
  /** Student's t, as a normal over the root of a scaled chi-squared. */
  studentT(degrees: number): number
  binomial(trials: number, probability: number): number
  beta(alpha: number, beta: number): number
}

/**
 * The stream that belongs to a key, such as (seed, problem, epsilon, run). Streams of different keys are independent,
 * so a run gives the same data whichever thread it is done on and whatever was run before.
 */
export function stream(...key: ReadonlyArray<string | number>): Stream {
  const generator = xoroshiro128plusFromState(hash(key.join('/')))
  const source = (): number => uniformFloat64(generator)
  const normal = randomNormal.source(source)()
  const uniform = randomUniform.source(source)
  const gamma = randomGamma.source(source)
  const binomial = randomBinomial.source(source)
  const beta = randomBeta.source(source)
  const chiSquared = (degrees: number): number => gamma(degrees / 2, 2)()
  return {
    uniform: (low, high) => uniform(low, high)(),
    normal,
    chiSquared,
    studentT: (degrees) => normal() / Math.sqrt(chiSquared(degrees) / degrees),
    binomial: (trials, probability) => binomial(trials, probability)(),
    beta: (a, b) => beta(a, b)(),
  }
}

/** 128 well-mixed bits of a text: four passes of MurmurHash3 (32 bits), each from its own start. */
function hash(text: string): number[] {
  const words = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667].map((start) => murmur(text, start))
  // The one state that the generator cannot leave.
  return words.every((word) => word === 0) ? [1, 0, 0, 0] : words
}

function murmur(text: string, start: number): number {
  let h = start
  for (let i = 0; i < text.length; i++) {
    let k = Math.imul(text.charCodeAt(i), 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  h ^= text.length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
