import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { paper } from '../methods/paper.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'

/** What the laws need to know of a likelihood beyond its interface. */
export interface Lawful<D, P extends Params> {
  readonly likelihood: Likelihood<D, P>
  /** Some data, a part of it corrupted. */
  sample(random: TestRandom): D
  /** The rows whose numbers are listed, repeats allowed. */
  take(data: D, rows: ArrayLike<number>): D
  /** All free numbers that `losses` depends on and `fit` chooses. */
  free(params: P): Float64Array
  /** The parameters with those numbers. */
  withFree(params: P, free: Float64Array): P
  /** For losses whose scale is not minimised over (the paper's form): the same parameters at a held scale. */
  holdScale?(params: P, held: P): P
  /** Whether `gradients` are by `free`, entry for entry. */
  readonly gradientsByFree?: boolean
}

const seeds = fc.integer({ min: 0, max: 1e6 })

function lossesOf<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, params: P): Float64Array {
  const out = new Float64Array(likelihood.rows(data))
  likelihood.losses(data, params, out)
  return out
}

/**
 * Losses are known up to a constant. This one puts the first E-step's solution inside (0, 1), so that the law has
 * something to say: mean e^-(l - c) > 1 and mean e^(l - c) > 1 hold for c halfway between their two limits.
 */
function interiorReference(losses: Float64Array): number {
  const logMeanExp = (sign: number): number => {
    const most = losses.reduce((a, l) => Math.max(a, sign * l), Number.NEGATIVE_INFINITY)
    return most + Math.log(losses.reduce((sum, l) => sum + Math.exp(sign * l - most), 0) / losses.length)
  }
  return (logMeanExp(1) - logMeanExp(-1)) / 2
}

function someWeights(n: number, random: TestRandom): Float64Array {
  return Float64Array.from({ length: n }, () => 0.05 + random.uniform())
}

/** The laws that every likelihood must obey, the user's own included. */
export function likelihoodLaws<D, P extends Params>(name: string, lawful: Lawful<D, P>): void {
  const { likelihood, sample, take } = lawful

  describe(`laws of ${name}`, () => {
    it('weight k equals k copies', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const random = new TestRandom(seed)
          const data = sample(random)
          const n = likelihood.rows(data)
          const weights = Float64Array.from({ length: n }, () => 1 + random.below(3))
          const copies = Array.from(weights).flatMap((k, i) => Array<number>(k).fill(i))
          const weighted = likelihood.fit(data, weights)
          const copied = likelihood.fit(take(data, copies))
          expectClose(lawful.free(weighted), lawful.free(copied), 1e-6, 1e-7)
        }),
        { numRuns: 20 },
      )
    })

    it('weight 0 equals absence', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const random = new TestRandom(seed)
          const data = sample(random)
          const n = likelihood.rows(data)
          const kept = Array.from({ length: n }, (_, i) => i).filter(() => random.uniform() < 0.8)
          const weights = new Float64Array(n)
          for (const i of kept) weights[i] = 1
          const without = likelihood.fit(take(data, kept))
          expectClose(lawful.free(likelihood.fit(data, weights)), lawful.free(without), 1e-6, 1e-7)
        }),
        { numRuns: 20 },
      )
    })

    it('permuting the rows permutes the answer', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const random = new TestRandom(seed)
          const data = sample(random)
          const order = random.order(likelihood.rows(data))
          const a = likelihood.fit(data)
          const b = likelihood.fit(take(data, order))
          expectClose(lawful.free(b), lawful.free(a), 1e-6, 1e-7)
          const losses = lossesOf(likelihood, data, a)
          expectClose(
            lossesOf(likelihood, take(data, order), a),
            Array.from(order, (i) => losses[i]),
            1e-9,
            1e-12,
          )
        }),
        { numRuns: 20 },
      )
    })

    it('the fit minimises the weighted losses: their gradient is 0 by finite differences', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const random = new TestRandom(seed)
          const data = sample(random)
          const weights = someWeights(likelihood.rows(data), random)
          const params = likelihood.fit(data, weights)
          const best = lawful.free(params)
          const value = (free: Float64Array): number => {
            const losses = lossesOf(likelihood, data, lawful.withFree(params, free))
            return losses.reduce((sum, l, i) => sum + weights[i] * l, 0)
          }
          const at = value(best)
          for (let j = 0; j < best.length; j++) {
            const h = 1e-4 * (1 + Math.abs(best[j]))
            const up = best.slice()
            const down = best.slice()
            up[j] += h
            down[j] -= h
            const slope = (value(up) - value(down)) / (2 * h)
            const curvature = (value(up) - 2 * at + value(down)) / (h * h)
            // Newton's estimate of how far the optimum is, in units of the step.
            expect(Math.abs(slope)).toBeLessThan(0.02 * h * Math.max(curvature, 0) + 1e-6)
            expect(curvature).toBeGreaterThan(0)
          }
        }),
        { numRuns: 10 },
      )
    })

    it('the bound never falls over exact E-steps and M-steps', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const data = sample(new TestRandom(seed))
          const held = likelihood.fit(data)
          const reference = interiorReference(lossesOf(likelihood, data, held))
          const model: Likelihood<D, P> = {
            ...likelihood,
            fit: (d, w, s) => lawful.holdScale?.(likelihood.fit(d, w, s), held) ?? likelihood.fit(d, w, s),
            losses: (d, p, out) => {
              likelihood.losses(d, p, out)
              for (let i = 0; i < out.length; i++) out[i] -= reference
            },
          }
          const { trace } = paper(model, data, { eStep: 'exact', tolerance: 0, maxIterations: 25 })
          expect(trace[0].level).toBeGreaterThan(0)
          expect(trace[0].level).toBeLessThan(1)
          for (let k = 1; k < trace.length; k++) {
            const before = trace[k - 1].bound
            expect(trace[k].bound).toBeGreaterThanOrEqual(before - 1e-7 * (1 + Math.abs(before)))
          }
        }),
        { numRuns: 20 },
      )
    })

    if (likelihood.reference !== undefined && likelihood.information !== undefined)
      it('the information is the curvature of the mixture by finite differences', () => {
        fc.assert(
          fc.property(seeds, (seed) => {
            const random = new TestRandom(seed)
            const data = sample(random)
            const params = likelihood.fit(data)
            const references = new Float64Array(likelihood.rows(data))
            likelihood.reference!(data, params, references)
            const good = (l: number, i: number): number => 0.8 * Math.exp(references[i] - l)
            const value = (p: P): number =>
              lossesOf(likelihood, data, p).reduce((sum, l, i) => sum - Math.log(good(l, i) + 0.2), 0)
            const weights = lossesOf(likelihood, data, params).map((l, i) => good(l, i) / (good(l, i) + 0.2))
            const information = likelihood.information!(data, params, weights)
            const free = lawful.free(params)
            const along = free.map(() => 1e-3 * random.normal())
            const up = lawful.withFree(
              params,
              free.map((f, j) => f + along[j]),
            )
            const down = lawful.withFree(
              params,
              free.map((f, j) => f - along[j]),
            )
            const [above, below] = [likelihood.vector(up), likelihood.vector(down)]
            const step = above.map((a, j) => (a - below[j]) / 2)
            let quadratic = 0
            for (let j = 0; j < step.length; j++)
              for (let k = 0; k < step.length; k++) {
                const entry = information[Math.max(j, k) * step.length + Math.min(j, k)]
                quadratic += entry * step[j] * step[k]
              }
            expectClose(quadratic, value(up) - 2 * value(params) + value(down), 1e-3, 1e-9)
          }),
          { numRuns: 10 },
        )
      })

    if (lawful.gradientsByFree)
      it('the gradients of the losses equal finite differences', () => {
        fc.assert(
          fc.property(seeds, (seed) => {
            const data = sample(new TestRandom(seed))
            const params = likelihood.fit(data)
            const free = lawful.free(params)
            const gradients = likelihood.gradients!(data, params)
            for (let j = 0; j < gradients.cols; j++) {
              const h = 1e-5 * (1 + Math.abs(free[j]))
              const up = free.slice()
              const down = free.slice()
              up[j] += h
              down[j] -= h
              const above = lossesOf(likelihood, data, lawful.withFree(params, up))
              const below = lossesOf(likelihood, data, lawful.withFree(params, down))
              for (let i = 0; i < gradients.rows; i++) {
                const slope = (above[i] - below[i]) / (2 * h)
                expectClose(gradients.values[i * gradients.cols + j], slope, 1e-4, 1e-4)
              }
            }
          }),
          { numRuns: 5 },
        )
      })
  })
}
