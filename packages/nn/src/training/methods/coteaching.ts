import { add, div, smallest } from '../../graph/values.js'
import type { Method } from '../method.js'
import { type ForgetOptions, forgetSettings, keepCount } from './forget.js'
import { closeStep, meanOver, network, openStep, TWO_NETWORKS } from './step.js'

/** Settings of Co-teaching. */
export interface CoteachingOptions extends ForgetOptions {
  /** Divides the mean loss of the kept samples by their number once more, as the released code does. Default false. */
  readonly dividesTwice?: boolean
}

/** Co-teaching (Han et al., 2018): of each batch, each network learns the samples on which the other's loss is small. */
export function coteaching(options: CoteachingOptions): Method {
  const { dividesTwice = false } = options
  return {
    name: 'coteaching',
    options: { ...forgetSettings('coteaching', options), dividesTwice },
    network: TWO_NETWORKS[0],
    keeps: 'batch',
    report: 'last',
    step: (setup) => {
      const batch = openStep(setup)
      const [one, two] = TWO_NETWORKS.map((scope) => network(setup, batch, scope))
      const keep = batch.graph.feed('keep', [])
      const chosenByTwo = smallest(two.losses, keep)
      const mean = add(meanOver(one.losses, chosenByTwo), meanOver(two.losses, smallest(one.losses, keep)))
      // The networks have no parameter in common: their sum has both gradients.
      return closeStep(setup, batch, dividesTwice ? div(mean, keep) : mean, one, chosenByTwo)
    },
    feeds: (_, { epoch, indices }) => ({ keep: keepCount(options, epoch, indices.length) }),
  }
}
