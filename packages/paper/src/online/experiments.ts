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
