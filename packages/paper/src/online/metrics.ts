/** How predicted labels compare with the true ones, as shares. NaN where a share is of nothing. */
export interface Metrics {
  readonly accuracy: number
  /** Of the positives, those that were found. */
  readonly recall: number
  /** Of the negatives, those that were left alone: the true negative rate. */
  readonly tnr: number
  readonly f1: number
}

export const metricNames: readonly (keyof Metrics)[] = ['accuracy', 'recall', 'tnr', 'f1']

/** Labels are 0 or 1. */
export function metricsOf(predicted: ArrayLike<number>, truth: ArrayLike<number>): Metrics {
  // counts[2 * true + predicted]
  const counts = [0, 0, 0, 0]
  for (let i = 0; i < truth.length; i++) {
    const at = 2 * (truth[i] ?? 0) + (predicted[i] ?? 0)
    counts[at] = (counts[at] ?? 0) + 1
  }
  const [trueNegative = 0, falsePositive = 0, falseNegative = 0, truePositive = 0] = counts
  return {
    accuracy: (trueNegative + truePositive) / truth.length,
    recall: truePositive / (truePositive + falseNegative),
    tnr: trueNegative / (trueNegative + falsePositive),
    f1: (2 * truePositive) / (2 * truePositive + falsePositive + falseNegative),
  }
}
