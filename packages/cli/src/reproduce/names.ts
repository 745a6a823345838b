// @rlvi/paper loads all that its experiments need, which a refusal should not wait for. A test holds these lists to
// those of the paper.

/** Tables of numbers, computed by many runs. */
export const tableExperiments = [
  'linear-regression',
  'linear-curve',
  'logistic-regression',
  'pca',
  'covariance',
  'mean',
  'online',
  'online-batches',
  'streams',
] as const

/** Those that can read data of one's own. */
export const onData: readonly string[] = ['online', 'online-batches', 'streams']

/** Tables of networks, computed cell by cell. */
export const networkExperiments = [
  'mnist',
  'cifar10',
  'cifar100',
  'cifar80no',
  'food101',
  'regularization',
  'time',
] as const
