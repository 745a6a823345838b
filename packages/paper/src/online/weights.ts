/** The mean weight of rows of each kind, where 1 is the mean of the batch. NaN where there is no such row. */
export interface MeanWeights {
  readonly goodPositives: number
  readonly goodNegatives: number
  readonly flipped: number
}

export const weightNames: readonly (keyof MeanWeights)[] = ['goodPositives', 'goodNegatives', 'flipped']

export function meanWeights(weights: Float64Array, y: Float64Array, truth: Float64Array): MeanWeights {
  const mean = (belongs: (i: number) => boolean): number => {
    const rows = [...weights.keys()].filter(belongs)
    return rows.reduce((sum, i) => sum + (weights[i] ?? 0), 0) / rows.length
  }
  const all = mean(() => true)
  return {
    goodPositives: mean((i) => y[i] === 1 && truth[i] === 1) / all,
    goodNegatives: mean((i) => y[i] === 0 && truth[i] === 0) / all,
    flipped: mean((i) => y[i] !== truth[i]) / all,
  }
}
