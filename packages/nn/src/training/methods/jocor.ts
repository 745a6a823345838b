import { RlviError } from 'rlvi'
import type { Value } from '../../graph/builder.js'
import { add, exp, mean, mul, smallest, sub, sum } from '../../graph/values.js'
import type { Method } from '../method.js'
import { type ForgetOptions, forgetSettings, keepCount } from './forget.js'
import { closeStep, meanOver, network, openStep, TWO_NETWORKS } from './step.js'

/** Settings of JoCoR. */
export interface JocorOptions extends ForgetOptions {
  /** How much the networks' agreement counts, against their losses. Default 0.1. */
  readonly lambda?: number
  /** Takes the disagreement as one number for the batch, so that it does not select: the released code. Default false. */
  readonly batchAgreement?: boolean
}

/** JoCoR (Wei et al., 2020): two networks learn together the samples on which both do well and agree. */
export function jocor(options: JocorOptions): Method {
  const { lambda = 0.1, batchAgreement = false } = options
  if (!(lambda >= 0 && lambda <= 1)) throw new RlviError('jocor', 'lambda must be between 0 and 1', lambda)
  return {
    name: 'jocor',
    options: { ...forgetSettings('jocor', options), lambda, batchAgreement },
    network: TWO_NETWORKS[0],
    keeps: 'batch',
    report: 'last',
    step: (setup) => {
      const batch = openStep(setup)
      const [one, two] = TWO_NETWORKS.map((scope) => network(setup, batch, scope))
      const [p, q] = [one.logProbabilities, two.logProbabilities]
      const apart = add(divergence(p, q), divergence(q, p))
      const joint = add(
        mul(add(one.losses, two.losses), 1 - lambda),
        mul(batchAgreement ? mean(apart) : apart, lambda),
      )
      const kept = smallest(joint, batch.graph.feed('keep', []))
      return closeStep(setup, batch, meanOver(joint, kept), one, kept)
    },
    feeds: (_, { epoch, indices }) => ({ keep: keepCount(options, epoch, indices.length) }),
  }
}

/** KL(p, q) of each row, from log-probabilities. */
export function divergence(p: Value, q: Value): Value {
  return sum(mul(exp(p), sub(p, q)), { axes: [1] })
}
