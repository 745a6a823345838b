import { smallest } from '../../graph/values.js'
import type { Method } from '../method.js'
import { type ForgetOptions, forgetSettings, keepCount } from './forget.js'
import { closeStep, meanOver, network, openStep } from './step.js'

/** Settings of USDNL. */
export interface UsdnlOptions extends ForgetOptions {
  /** Rate of the channel dropout that the model must have. Default 0.25. */
  readonly dropout?: number
  /** Dropout also when the model is measured, as the released code does. Default false. */
  readonly dropoutAlways?: boolean
}

/** USDNL (Xu et al., 2021): the samples of small loss under dropout, in one pass. */
export function usdnl(options: UsdnlOptions): Method {
  const { dropout = 0.25, dropoutAlways = false } = options
  return {
    name: 'usdnl',
    options: { ...forgetSettings('usdnl', options), dropout, dropoutAlways },
    keeps: 'batch',
    report: 'last',
    dropout: { rate: dropout, always: dropoutAlways },
    step: (setup) => {
      const batch = openStep(setup)
      const net = network(setup, batch)
      const kept = smallest(net.losses, batch.graph.feed('keep', []))
      return closeStep(setup, batch, meanOver(net.losses, kept), net, kept)
    },
    feeds: (_, { epoch, indices }) => ({ keep: keepCount(options, epoch, indices.length) }),
  }
}
