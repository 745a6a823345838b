import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { paper } from '../methods/paper.js'
import { mustHold } from './assert.js'
import { type Law, type LikelihoodCases, law } from './law.js'
import { lossesOf } from './rows.js'

/** That `fit` minimises the weighted `losses`, which makes RLVI's bound rise. */
export function objectiveLaws<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  cases: LikelihoodCases<D, P>,
): Law[] {
  return [
    law('the fit minimises the weighted losses: their gradient is 0 by finite differences', 10, (random) => {
      const data = cases.sample(random)
      const weights = Float64Array.from({ length: likelihood.rows(data) }, () => random.uniform(0.05, 1.05))
      const params = likelihood.fit(data, weights)
      const best = cases.free(params)
      const value = (free: Float64Array): number =>
        lossesOf(likelihood, data, cases.withFree(params, free)).reduce(
          (sum, l, i) => sum + weights[i] * l,
          0,
        )
      const at = value(best)
      for (let j = 0; j < best.length; j++) {
        const h = 1e-4 * (1 + Math.abs(best[j]))
        const off = (by: number): number => {
          const free = best.slice()
          free[j] += by
          return value(free)
        }
        const [up, down] = [off(h), off(-h)]
        // Richardson's extrapolation of central differences: their own error is then of the order of h^4.
        const slope = (8 * (off(h / 2) - off(-h / 2)) - (up - down)) / (6 * h)
        const curvature = (up - 2 * at + down) / (h * h)
        // Newton's estimate of how far the optimum is, in units of the step.
        const most = 0.02 * h * Math.max(curvature, 0) + 1e-6
        mustHold(`free number ${j}: a slope below ${most} is needed`, Math.abs(slope) < most, slope)
        mustHold(`free number ${j}: a positive curvature is needed`, curvature > 0, curvature)
      }
    }),

    law('the bound never falls over exact E-steps and M-steps', 20, (random) => {
      const data = cases.sample(random)
      const model = interior(likelihood, cases, data)
      const { trace } = paper(model, data, { eStep: 'exact', tolerance: 0, maxIterations: 25 })
      const { level } = trace[0]
      mustHold('a first level between 0 and 1 is needed', level > 0 && level < 1, level)
      for (let k = 1; k < trace.length; k++) {
        const before = trace[k - 1].bound
        const least = before - 1e-7 * (1 + Math.abs(before))
        mustHold(
          `iteration ${k}: a bound of at least ${least} is needed`,
          trace[k].bound >= least,
          trace[k].bound,
        )
      }
    }),
  ]
}

/** The same model with its scale held, and its losses less a constant that lets the first E-step say something. */
function interior<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  cases: LikelihoodCases<D, P>,
  data: D,
): Likelihood<D, P> {
  const held = likelihood.fit(data)
  const reference = interiorReference(lossesOf(likelihood, data, held))
  return {
    name: likelihood.name,
    rows: (d) => likelihood.rows(d),
    check: (d) => likelihood.check(d),
    vector: (p) => likelihood.vector(p),
    fit(d, w, s) {
      const params = likelihood.fit(d, w, s)
      return cases.holdScale?.(params, held) ?? params
    },
    losses(d, p, out) {
      likelihood.losses(d, p, out)
      for (let i = 0; i < out.length; i++) out[i] -= reference
    },
  }
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
