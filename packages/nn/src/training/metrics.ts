import type { Method } from './method.js'
import type { TrainingState } from './state.js'

/** What an epoch came to. Accuracies and shares are between 0 and 1. */
export interface EpochMetrics {
  readonly epoch: number
  /** Learning rates by group; usually the one called `rate`. */
  readonly rates: Readonly<Record<string, number>>
  /** Mean loss and accuracy on the given labels during the epoch: before each update, in training mode. */
  readonly loss: number
  readonly train: number
  readonly validation?: number
  readonly test?: number
  /** For methods that weigh: weights below it are 0. */
  readonly threshold?: number
  /** Share of the good samples that the method keeps, where it is known which are good. */
  readonly cleanKept?: number
  /** Share of the wrong samples that it leaves out. */
  readonly corruptCaught?: number
  /** The share of wrong labels, for methods that say so. */
  readonly level?: number
  /** Training, E-step and validation. */
  readonly seconds: number
  readonly testSeconds: number
}

/** The shares of good samples kept and of wrong ones left out (C.5: kept is a weight strictly above the threshold). */
export function keptShares(
  method: Method,
  state: TrainingState,
  corrupt: ArrayLike<number> | undefined,
): { readonly cleanKept?: number; readonly corruptCaught?: number } {
  if (!corrupt || method.keeps === 'all') return {}
  const { clean, kept, threshold } = state
  let goodSamples = 0
  let cleanKept = 0
  let corruptCaught = 0
  for (let i = 0; i < clean.length; i++) {
    const keep = method.keeps === 'weights' ? clean[i] > threshold : kept[i] === 1
    if (corrupt[i] !== 0) corruptCaught += keep ? 0 : 1
    else {
      goodSamples++
      cleanKept += keep ? 1 : 0
    }
  }
  const wrong = clean.length - goodSamples
  return {
    ...(goodSamples > 0 ? { cleanKept: cleanKept / goodSamples } : {}),
    ...(wrong > 0 ? { corruptCaught: corruptCaught / wrong } : {}),
  }
}

/** The epoch whose test accuracy a method's authors report: the last, or the first with the best validation accuracy. */
export function reportedEpoch(method: Method, history: readonly EpochMetrics[]): EpochMetrics | undefined {
  if (method.report === 'last') return history.at(-1)
  const best = Math.max(...history.map(({ validation = 0 }) => validation))
  return history.find(({ validation = 0 }) => validation === best)
}
