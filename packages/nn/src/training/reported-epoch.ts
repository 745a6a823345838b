import type { Method } from './method.js'
import type { EpochMetrics } from './metrics.js'

/** The epoch whose test accuracy a method's authors report: the last, or the first with the best validation accuracy. */
export function reportedEpoch(method: Method, history: readonly EpochMetrics[]): EpochMetrics | undefined {
  if (method.report === 'last') return history.at(-1)
  const best = Math.max(...history.map(({ validation = 0 }) => validation))
  return history.find(({ validation = 0 }) => validation === best)
}
