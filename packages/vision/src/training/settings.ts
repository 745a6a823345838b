import type { Samples } from '../data/image-set.js'

/** The networks that can be trained by name. */
export const networkNames = ['lenet', 'resnet18', 'resnet34', 'resnet50'] as const
/** The name of a network. */
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
  /** `scaled` is `linear` over as many epochs as there are. */
  readonly schedule: 'linear' | 'scaled' | 'cosine' | 'multi-step'
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

/** The paper's settings, by network. */
export const byNetwork: Readonly<Record<NetworkName, Settings>> = { lenet, resnet18, resnet34, resnet50 }

/** What the paper trains a data set with; for others what suits the size and the number of their images. */
export function settingsFor(name: string, images: Pick<Samples, 'width' | 'labels'>): Settings {
  const known = byDataSet[name]
  if (known !== undefined) return known
  const { width } = images
  const network = width === 28 ? 'lenet' : width >= 96 ? 'resnet50' : 'resnet18'
  return ownSettings(network, images.labels.length)
}

/** Steps that a network needs before it has learned what there is to learn of a few hundred or thousand images. */
const STEPS: Readonly<Record<NetworkName, number>> = {
  lenet: 3000,
  resnet18: 600,
  resnet34: 600,
  resnet50: 600,
}
const LEAST_EPOCHS = 20

/**
 * For a set that the paper does not have: small batches where there are few images, and as many epochs as its steps take, over which the
 * learning rate falls. A network that has had fewer steps takes every class that it cannot tell yet for noise.
 */
export function ownSettings(name: NetworkName, images: number): Settings {
  const base = byNetwork[name]
  const batch = batchFor(base, images)
  const epochs = Math.max(LEAST_EPOCHS, Math.ceil((STEPS[name] * batch) / images))
  return { ...base, batch, epochs, schedule: name === 'lenet' ? 'scaled' : base.schedule }
}

/** Statistics of a batch, which the large networks normalise by, want more images than a step of LeNet. */
function batchFor({ network, batch }: Settings, images: number): number {
  if (network === 'lenet' && images < 2000) return 8
  return images < 5000 ? 32 : batch
}

/** Whether the paper says how to train on it. */
export function isInPaper(name: string): boolean {
  return byDataSet[name] !== undefined
}
