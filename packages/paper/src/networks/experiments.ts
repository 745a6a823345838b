import {
  methodNames,
  methodsWithAssumedLevel,
  type NetworkMethod,
  type NoiseType,
  paperMethods,
} from '@rlvi/vision'
import { paperNoises, paperRates } from './published.js'

/** What an experiment of the paper is made of, and what of it a short run takes. */
export interface NetworkExperiment {
  readonly name: string
  readonly title: string
  readonly lead: string
  readonly dataset: string
  readonly noises: ReadonlyArray<NoiseType | 'none'>
  readonly rates: readonly number[]
  readonly methods: readonly NetworkMethod[]
  readonly epochs: number
  readonly runs: number
  /** What a short run takes: few cells and epochs, for the larger networks few images, so that a CPU can do it. */
  readonly quick: {
    readonly noises: ReadonlyArray<NoiseType | 'none'>
    readonly rates: readonly number[]
    readonly methods: readonly NetworkMethod[]
    readonly epochs: number
    readonly limit?: number
  }
  /** Whether it is about time, not accuracy. */
  readonly timed?: boolean
}

const few: NetworkExperiment['quick'] = {
  noises: ['pairflip'],
  rates: [0.45],
  methods: ['standard', 'rlvi'],
  epochs: 10,
}

const table = (
  dataset: string,
  title: string,
  lead: string,
  quick = few,
  epochs = 200,
): NetworkExperiment => ({
  name: dataset,
  title,
  lead,
  dataset,
  noises: paperNoises(dataset),
  rates: paperRates,
  methods: paperMethods,
  epochs,
  runs: 5,
  quick,
})

const small = (limit: number): NetworkExperiment['quick'] => ({ ...few, epochs: 2, limit })

const list: readonly NetworkExperiment[] = [
  table('mnist', 'MNIST with wrong labels', 'LeNet on handwritten digits.', few, 100),
  table('cifar10', 'CIFAR-10 with wrong labels', 'ResNet18 on small photographs, ten classes.', small(1000)),
  table('cifar100', 'CIFAR-100 with wrong labels', 'ResNet34, a hundred classes.', small(500)),
  table(
    'cifar80no',
    'CIFAR80N-O: wrong labels and out-of-distribution images',
    'ResNet34 on eighty classes of CIFAR-100; the images of the other twenty have got their labels too.',
    small(500),
  ),
  {
    name: 'food101',
    title: 'Food-101, whose labels are wrong by nature',
    lead: 'ResNet50 on photographs of dishes. Nobody knows how many labels are wrong, so the methods that need an assumed level are given several.',
    dataset: 'food101',
    noises: ['none'],
    rates: [0.4, 0.2, 0.1, 0.05, 0.03, 0.01],
    methods: paperMethods,
    epochs: 80,
    runs: 1,
    quick: { noises: ['none'], rates: [0.03], methods: ['standard', 'rlvi'], epochs: 1, limit: 64 },
  },
  {
    name: 'regularization',
    title: 'What truncation does',
    lead: 'CIFAR-10 with pairflip noise: RLVI with and without truncation, and the standard method.',
    dataset: 'cifar10',
    noises: ['pairflip'],
    rates: [0.45],
    methods: ['standard', 'rlvi-untruncated', 'rlvi'],
    epochs: 200,
    runs: 1,
    quick: { ...small(1000), methods: ['standard', 'rlvi-untruncated', 'rlvi'] },
  },
  {
    name: 'time',
    title: 'Time for an epoch',
    lead: 'ResNet34 on CIFAR-100. Seconds depend on the machine; the ratios to the standard method should not.',
    dataset: 'cifar100',
    noises: ['symmetric'],
    rates: [0.45],
    methods: paperMethods,
    epochs: 3,
    runs: 1,
    quick: { noises: ['symmetric'], rates: [0.45], methods: paperMethods, epochs: 2, limit: 300 },
    timed: true,
  },
]

/** The experiments with networks, by name. */
export const networkExperiments: ReadonlyMap<string, NetworkExperiment> = new Map(
  list.map((experiment) => [experiment.name, experiment]),
)

/** On data whose noise is its own, a method that assumes no level is the same at every rate: it runs once, at 0. */
export function rateFor(noise: NoiseType | 'none', rate: number, method: NetworkMethod): number {
  return noise === 'none' && !methodsWithAssumedLevel.includes(method) ? 0 : rate
}

/** Methods beyond an experiment's own can be asked for by name. */
export const anyMethod: readonly NetworkMethod[] = methodNames
