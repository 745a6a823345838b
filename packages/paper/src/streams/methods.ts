import type { OnlineOptions } from 'rlvi'

export interface StreamMethodVariant {
  readonly method: 'SGD' | 'RRM' | 'RLVI' | 'calibrated'
  readonly variant: string
  readonly options: Omit<OnlineOptions, 'model' | 'features'>
  readonly estimatesLevel?: boolean
  /** The released code knows labels 0 and 1 only. */
  readonly twoClasses?: boolean
}

/** The steps of the paper's experiment: scikit-learn's schedule, a batch counting as one row. */
const paper = { schedule: 'optimal', weights: 'mean', drift: false } as const
const adaptive = { schedule: 'adaptive', drift: false } as const

const all: readonly StreamMethodVariant[] = [
  { method: 'SGD', variant: 'released', options: { ...paper, method: 'sgd', weights: 'sum' } },
  { method: 'SGD', variant: 'weight 1/b', options: { ...paper, method: 'sgd' } },
  { method: 'SGD', variant: 'adaptive', options: { ...adaptive, method: 'sgd' } },
  {
    method: 'RRM',
    variant: 'released',
    options: { ...paper, method: 'rrm', asReleased: true },
    twoClasses: true,
  },
  { method: 'RRM', variant: 'true loss', options: { ...paper, method: 'rrm' } },
  { method: 'RRM', variant: 'adaptive', options: { ...adaptive, method: 'rrm' } },
  {
    method: 'RLVI',
    variant: 'released',
    options: { ...paper, method: 'paper', asReleased: true },
    twoClasses: true,
  },
  { method: 'RLVI', variant: 'true loss', options: { ...paper, method: 'paper' } },
  { method: 'RLVI', variant: 'adaptive', options: { ...adaptive, method: 'paper' } },
  { method: 'calibrated', variant: 'default', options: { method: 'calibrated' }, estimatesLevel: true },
]

/** All methods by the paper's steps and by those that need no tuning; `calibrated` as one gets it. */
export function streamMethods(classes: number): readonly StreamMethodVariant[] {
  return all.filter(({ twoClasses = false }) => !twoClasses || classes === 2)
}
