import type { ChunkSize } from './protocol.js'

export interface OnlineExperiment {
  readonly name: string
  readonly title: string
  readonly lead: string
  readonly sizes: readonly ChunkSize[]
}

const list: readonly OnlineExperiment[] = [
  {
    name: 'online',
    title: 'Learning online while labels go wrong',
    lead: 'Is a person moving? Batches of 100 rows arrive, and a share of the positive labels that changes from batch to batch is flipped.',
    sizes: [{ train: 100, test: 100 }],
  },
  {
    name: 'online-batches',
    title: 'Learning online from smaller batches',
    lead: 'The same stream in batches of 100, 75 and 50 rows (Appendix B).',
    sizes: [100, 75, 50].map((train) => ({ train, test: 100 })),
  },
]

export const onlineExperiments: ReadonlyMap<string, OnlineExperiment> = new Map(
  list.map((experiment) => [experiment.name, experiment]),
)

/** The accuracy that can be read off the published figure, in per cent, by thousands of training rows. One run. */
export const publishedReadings: readonly { samples: number; sgd: number; rlvi: number }[] = [
  [1500, 93.9, 96.5],
  [2000, 93.9, 97.5],
  [2500, 94.7, 98.7],
  [3000, 93.8, 98.7],
  [3500, 92.4, 98.2],
  [4000, 92.5, 98.4],
  [4500, 93.5, 98.7],
  [5000, 91.5, 98.3],
  [5500, 89.6, 98],
  [6000, 91.8, 98.5],
  [6500, 94.4, 99.2],
  [7000, 94.2, 99.3],
  [7500, 93.1, 98.9],
  [8000, 93.6, 99],
  [8500, 94.4, 99.3],
  [9000, 94, 99.2],
  [9500, 93.1, 99],
  [10000, 92.1, 98.7],
  [10500, 91.9, 98.2],
  [10800, 92.3, 98.2],
].map(([samples = 0, sgd = 0, rlvi = 0]) => ({ samples, sgd, rlvi }))
