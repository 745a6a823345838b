import { aligned, fixed, short } from '../../shared/text-table.js'
import type { SizeRuns } from '../runs.js'
import { weightNames } from '../weights.js'
import { isPublished, readingsHead, readingsRows, readingsTitle } from './readings.js'
import type { OnlineRecord } from './records.js'

const columns = [
  'accuracy',
  'recall',
  'tnr',
  'f1',
  'levelError',
  'levelBias',
  'levelErrorOfPositives',
] as const

export const onlineTableHead: readonly string[] = [
  'method',
  'variant',
  'accuracy',
  '± sem',
  'recall',
  '± sem',
  'tnr',
  'f1',
  '|level error|',
  'bias',
  'of positives',
]

/** A row for each method at one batch size: means over the runs, standard errors for the first two. */
export function onlineTableRows(records: readonly OnlineRecord[], batch: number): string[][] {
  const here = records.filter((record) => record.batch === batch)
  const names = new Map(here.map((record) => [`${record.method}/${record.variant}`, record]))
  return [...names.values()].map(({ method, variant }) => {
    const [accuracy, recall, ...others] = columns.map((metric) =>
      here.find((r) => r.method === method && r.variant === variant && r.metric === metric),
    )
    const mean = (record: OnlineRecord | undefined): string =>
      record === undefined ? '' : fixed(record.mean)
    const sem = (record: OnlineRecord | undefined): string => (record === undefined ? '' : short(record.sem))
    return [method, variant, mean(accuracy), sem(accuracy), mean(recall), sem(recall), ...others.map(mean)]
  })
}

export const weightsTitle = 'mean weights of rows, where 1 is the mean of the batch'
export const weightsHead: readonly string[] = ['method', 'variant', ...weightNames.map(spaced)]

/** A row for each method at one batch size: how far it trusts good and flipped rows. */
export function weightRows(records: readonly OnlineRecord[], batch: number): string[][] {
  const here = records.filter((record) => record.batch === batch && record.metric.startsWith('weight:'))
  return here
    .filter(({ metric }) => metric === 'weight:flipped')
    .map(({ method, variant }) => {
      const same = here.filter((record) => record.method === method && record.variant === variant)
      return [method, variant, ...same.map(({ mean }) => mean.toFixed(2))]
    })
}

function spaced(name: string): string {
  return name.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`)
}

/** A table for each batch size, and the paper's readings beside the batches that it had. */
export function onlineText(records: readonly OnlineRecord[], runs: number, all: readonly SizeRuns[]): string {
  const batches = [...new Set(records.map(({ batch }) => batch))]
  const blocks = batches.map((batch) => {
    const heading = `${records[0]?.data}, batches of ${batch}, ${runs} runs (means over all batches)`
    const weights = [weightsHead, ...weightRows(records, batch)]
    return [
      heading,
      ...aligned([onlineTableHead, ...onlineTableRows(records, batch)], 2),
      '',
      `batches of ${batch}: ${weightsTitle}`,
      ...aligned(weights, 2),
    ].join('\n')
  })
  const published = all
    .filter(isPublished)
    .map((one) => [readingsTitle, ...aligned([readingsHead, ...readingsRows(one)], 0)].join('\n'))
  return `${[...blocks, ...published].join('\n\n')}\n`
}
