import type { OnlineOptions } from 'rlvi'

/** A method as the experiments run it. */
export interface OnlineVariant {
  readonly method: 'SGD' | 'RRM' | 'RLVI' | 'calibrated'
  readonly variant: string
  readonly options: Omit<OnlineOptions, 'model' | 'features'>
  /** Whether its `level` is meant as the share of wrong labels. */
  readonly estimatesLevel?: boolean
}

/** scikit-learn's SGDClassifier, as in the released code; the protocol has scaled the rows. */
const classifier = { schedule: 'optimal', alpha: 1e-4, scaling: 'none', drift: false } as const

/**
 * The released code gives plain SGD steps that are as many times larger than RLVI's and RRM's as a batch has rows (the
 * weights of the latter sum to 1 or less), and weighs rows by -log P(y = 1 | x) whatever their label. Both are here as
 * released and as the paper says.
 */
export const onlineVariants: readonly OnlineVariant[] = [
  { method: 'SGD', variant: 'released', options: { ...classifier, method: 'sgd', weights: 'sum' } },
  { method: 'SGD', variant: 'weight 1/b', options: { ...classifier, method: 'sgd', weights: 'mean' } },
  // The steps of `calibrated`, so that what those steps do is not put down to its weights.
  { method: 'SGD', variant: 'adaptive', options: { method: 'sgd', scaling: 'none' } },
  ...(['RRM', 'RLVI'] as const).flatMap((method) =>
    [true, false].map((asReleased) => ({
      method,
      variant: asReleased ? 'released' : 'true loss',
      options: {
        ...classifier,
        method: method === 'RRM' ? ('rrm' as const) : ('paper' as const),
        weights: 'mean' as const,
        asReleased,
        ...(method === 'RRM' && { assumed: 0.3 }),
      },
    })),
  ),
  {
    method: 'calibrated',
    variant: 'weight 1/b',
    options: { ...classifier, method: 'calibrated', weights: 'mean' },
    estimatesLevel: true,
  },
  {
    method: 'calibrated',
    variant: 'default',
    options: { method: 'calibrated', scaling: 'none' },
    estimatesLevel: true,
  },
]
