import { randomBeta, randomBinomial, randomGamma, randomNormal, randomUniform } from 'd3-random'
import { seeded } from './seeded.js'

/** A reproducible source of random numbers. */
export interface Draws {
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
export function draws(...key: ReadonlyArray<string | number>): Draws {
  const source = seeded(...key)
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
