import type { Method } from '@rlvi/nn/methods'

/** A class counts as known where this share of its labels has more than half of the probability. */
const KNOWN = 0.3
const HALF = Math.log(2)

export interface WarmUpOptions {
  /** The labels that are learned from. */
  readonly labels: ArrayLike<number>
  readonly epochs: number
  /** Images held out for validation. */
  readonly validation: number
}

/**
 * A method that weighs samples, with a warm-up in which all weights are 1, for few images; the paper's data sets are large
 * enough to do without.
 *
 * It lasts until the network knows every class a little, or half of the epochs are over. With few images the first epochs
 * are short: weights that follow losses from the start would drop whole classes, which are never learned afterwards. And a
 * drop of the validation accuracy, which begins the truncation for good, must be more than chance can do.
 */
export function withWarmUp(method: Method, options: WarmUpOptions): Method {
  const { labels, epochs, validation } = options
  const { endEpoch, validated } = method
  if (method.keeps !== 'weights' || endEpoch === undefined) return method
  const hasWeights = (clean: Float64Array): boolean => clean.some((weight) => weight !== 1)
  return {
    ...method,
    options: { ...method.options, warmUp: true },
    endEpoch(state, info) {
      const ready =
        hasWeights(state.clean) || 2 * info.epoch >= epochs || knowsAll(state.losses, labels, info.classes)
      if (ready) endEpoch(state, info)
    },
    validated(state, accuracies, heldOut) {
      if (hasWeights(state.clean) && hasFallen(accuracies, validation))
        validated?.(state, accuracies, heldOut)
    },
  }
}

/** Whether the last accuracy lies a standard deviation below the best before it. */
function hasFallen(accuracies: readonly number[], samples: number): boolean {
  const last = accuracies.at(-1) ?? 0
  const best = Math.max(0, ...accuracies.slice(0, -1))
  return last < best - Math.sqrt((best * (1 - best)) / samples)
}

function knowsAll(losses: Float64Array, labels: ArrayLike<number>, classes: number): boolean {
  const [sizes, known] = [new Float64Array(classes), new Float64Array(classes)]
  for (const [i, loss] of losses.entries()) {
    sizes[labels[i]!]! += 1
    if (loss < HALF) known[labels[i]!]! += 1
  }
  return sizes.every((size, k) => known[k]! >= KNOWN * size)
}
