import type { Samples } from '../data/image-set.js'

export const networkNames = ['lenet', 'resnet18', 'resnet34', 'resnet50'] as const
export type NetworkName = (typeof networkNames)[number]

/** How a network is trained. */
export interface Settings {
  readonly network: NetworkName
  readonly epochs: number
  readonly batch: number
  readonly optimizer: 'sgd' | 'adam'
  /** The learning rate of the first epoch. */
  readonly learningRate: number
  /** What the pre-trained part of a network learns at, relative to its new head. */
  readonly backbone: number
  readonly schedule: 'linear' | 'cosine' | 'multi-step'
  readonly weightDecay: number
}

const lenet: Settings = {
  network: 'lenet',
  epochs: 100,
  batch: 32,
  optimizer: 'sgd',
  learningRate: 0.01,
  backbone: 1,
  schedule: 'linear',
  weightDecay: 1e-3,
}

const resnet18: Settings = {
  network: 'resnet18',
  epochs: 200,
  batch: 128,
  optimizer: 'sgd',
  learningRate: 0.01,
  backbone: 1,
  schedule: 'cosine',
  weightDecay: 5e-4,
}

const resnet34: Settings = { ...resnet18, network: 'resnet34' }

const resnet50: Settings = {
  network: 'resnet50',
  epochs: 80,
  batch: 32,
  optimizer: 'adam',
  learningRate: 1e-3,
  backbone: 0.1,
  schedule: 'multi-step',
  weightDecay: 1e-4,
}

/** The paper's table of hyper-parameters, by data set. */
const byDataSet: Readonly<Record<string, Settings>> = {
  mnist: lenet,
  'fashion-mnist': lenet,
  cifar10: resnet18,
  cifar10n: resnet18,
  cifar100: resnet34,
  cifar100n: resnet34,
  cifar80no: resnet34,
  food101: resnet50,
}

export const byNetwork: Readonly<Record<NetworkName, Settings>> = { lenet, resnet18, resnet34, resnet50 }

/** What the paper trains a data set with; for others what suits the size of their images. */
export function settingsFor(name: string, images: Pick<Samples, 'width' | 'channels'>): Settings {
  const known = byDataSet[name]
  if (known !== undefined) return known
  // Twenty epochs suffice for a first look at images of one's own; who has time gives more.
  const own = images.channels === 1 && images.width === 28 ? lenet : images.width >= 96 ? resnet50 : resnet18
  return { ...own, epochs: 20 }
}
