import type { Method } from '@rlvi/nn'

/** A class counts as known where this share of its labels has more than half of the probability. */
const KNOWN = 0.3
const HALF = Math.log(2)

/**
 * A method that weighs samples, held back until the network knows every class a little. With few images the first epochs
 * are too short for that: weights that follow losses would then drop whole classes, which are never learned afterwards.
 * The paper's data sets are large enough to do without. It begins after half of the epochs at the latest.
 */
export function patient(method: Method, labels: ArrayLike<number>, epochs: number): Method {
  const { endEpoch, validated } = method
  if (method.keeps !== 'weights' || endEpoch === undefined) return method
  const has = (pi: Float64Array): boolean => pi.some((weight) => weight !== 1)
  return {
    ...method,
    options: { ...method.options, patient: true },
    endEpoch(state, info) {
      const ready = has(state.pi) || 2 * info.epoch >= epochs || knowsAll(state.losses, labels, info.classes)
      if (ready) endEpoch(state, info)
    },
    // A validation accuracy that drops before anything was left out says nothing about wrong labels.
    validated(state, accuracies) {
      if (has(state.pi)) validated?.(state, accuracies)
    },
  }
}

function knowsAll(losses: Float64Array, labels: ArrayLike<number>, classes: number): boolean {
  const [sizes, known] = [new Float64Array(classes), new Float64Array(classes)]
  for (const [i, loss] of losses.entries()) {
    sizes[labels[i]!]! += 1
    if (loss < HALF) known[labels[i]!]! += 1
  }
  return sizes.every((size, k) => known[k]! >= KNOWN * size)
}
