import { methodTitles, type NetworkMethod } from '@rlvi/vision'
import { aligned } from '../shared/text-table.js'
import type { NetworkRecord } from './cell.js'
import type { NetworkExperiment } from './experiments.js'
import { publishedAccuracy, publishedSeconds } from './published.js'

export interface Block {
  readonly caption: string
  readonly head: readonly string[]
  readonly rows: ReadonlyArray<readonly string[]>
}

const accuracyHead = [
  'method',
  'runs',
  'accuracy',
  '± sd',
  'paper',
  '± sd',
  'clean kept',
  'corrupt caught',
  's/epoch',
]
const timeHead = ['method', 'runs', 's/epoch', 'to standard', 'paper s/epoch', 'to standard']

/**
 * A block for each noise and rate of which anything was run: all methods of the experiment, the paper's numbers beside
 * ours, and a dash where a cell was not run yet. In per cent.
 */
export function blocksOf(experiment: NetworkExperiment, records: readonly NetworkRecord[]): Block[] {
  const settings = new Map(records.map((record) => [`${record.noise} ${record.rate}`, record]))
  const sorted = [...settings.values()].sort(
    (a, b) => order(experiment, a) - order(experiment, b) || a.rate - b.rate,
  )
  return sorted.map(({ noise, rate }) => {
    const here = records.filter((record) => record.noise === noise && record.rate === rate)
    const methods = [...experiment.methods, ...here.map(({ method }) => method)]
    const shown = [...new Set(methods)].filter(
      (method) => noise !== 'none' || here.some((record) => record.method === method),
    )
    const caption = noise === 'none' ? own(rate) : `${noise} noise, ${percent(rate, 0)} %`
    if (experiment.timed === true)
      return { caption, head: timeHead, rows: shown.map((m) => timeRow(m, here)) }
    return {
      caption,
      head: accuracyHead,
      rows: shown.map((m) => accuracyRow(experiment, m, noise, rate, here)),
    }
  })
}

function order({ noises }: NetworkExperiment, { noise }: NetworkRecord): number {
  return noises.map(String).indexOf(noise)
}

function own(rate: number): string {
  return rate === 0 ? 'methods that assume no level' : `methods that assume ${percent(rate, 0)} %`
}

function accuracyRow(
  { dataset }: NetworkExperiment,
  method: NetworkMethod,
  noise: string,
  rate: number,
  here: readonly NetworkRecord[],
): string[] {
  const runs = here.filter((record) => record.method === method)
  const paper = publishedAccuracy(dataset, noise, rate, method)
  const published = paper === undefined ? ['', ''] : [paper.mean.toFixed(2), paper.sd.toFixed(2)]
  const title = methodTitles[method]
  if (runs.length === 0) return [title, '0', '-', '', ...published, '', '', '']
  const { mean, sd } = meanAndSd(runs.map(({ accuracy }) => accuracy))
  return [
    title,
    String(runs.length),
    percent(mean),
    Number.isNaN(sd) ? '' : percent(sd),
    ...published,
    shareOf(runs.map(({ cleanKept }) => cleanKept)),
    shareOf(runs.map(({ corruptCaught }) => corruptCaught)),
    seconds(meanAndSd(runs.map(({ secondsPerEpoch }) => secondsPerEpoch)).mean),
  ]
}

function timeRow(method: NetworkMethod, here: readonly NetworkRecord[]): string[] {
  const of = (name: NetworkMethod): number =>
    meanAndSd(here.filter((record) => record.method === name).map((r) => r.secondsPerEpoch)).mean
  const [ours, standard] = [of(method), of('standard')]
  const [paper, paperStandard] = [publishedSeconds[method], publishedSeconds.standard]
  const ratio = ours / standard
  return [
    methodTitles[method],
    String(here.filter((record) => record.method === method).length),
    Number.isNaN(ours) ? '-' : seconds(ours),
    Number.isNaN(ratio) ? '' : ratio.toFixed(2),
    paper === undefined ? '' : paper.mean.toFixed(2),
    paper === undefined || paperStandard === undefined ? '' : (paper.mean / paperStandard.mean).toFixed(2),
  ]
}

export function textOf(blocks: readonly Block[]): string {
  return blocks
    .map(({ caption, head, rows }) => [caption, ...aligned([head, ...rows], 1)].join('\n'))
    .join('\n\n')
}

/** With n - 1 in the denominator; NaN for a single value. */
export function meanAndSd(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, sd: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : Number.NaN }
}

/** A dash where a method does not tell clean from corrupt. */
function shareOf(values: ReadonlyArray<number | null>): string {
  const there = values.filter((value) => value !== null)
  return there.length === 0 ? '-' : percent(meanAndSd(there).mean)
}

function percent(share: number, digits = 2): string {
  return (100 * share).toFixed(digits)
}

function seconds(value: number): string {
  return value.toPrecision(3)
}
