import type { Method } from '../method.js'
import { weightedStep, weightFeeds } from './weighted.js'

/** The mean loss over all samples: what everybody does, and what robust methods are measured against. */
export function standard(): Method {
  return {
    name: 'standard',
    options: {},
    keeps: 'all',
    report: 'last',
    step: weightedStep,
    // The state's weights stay at 1.
    feeds: weightFeeds,
  }
}
