import { join } from 'node:path'
import { type Block, page, svgDocument } from '@rlvi/report'
import { callOf } from '../shared/figure.js'
import {
  type ReproduceOptions,
  type Reproduction,
  refuseEpsilons,
  wholeNumber,
} from '../shared/reproduction.js'
import { aligned, fixed, short } from '../shared/text-table.js'
import { writeWhole } from '../write.js'
import { readStreams, standInStream } from './data.js'
import { streamFigures } from './figures.js'
import { recordsOfStreams, runStreams, type StreamRecord } from './records.js'

const BATCH = 100
const title = 'Streams beyond the paper, with labels that go wrong in waves'
const lead = 'Each method predicts a batch, then learns from it. Predictions are judged by the true labels.'
const head = ['method', 'variant', 'clean', 'waves', '± sem', '|level error|, clean', 'waves']

/** Not in the paper: real streams in their own order, with labels that go wrong in waves. */
export async function reproduceStreams(options: ReproduceOptions): Promise<Reproduction<StreamRecord>> {
  const runs = wholeNumber('reproduce runs', options.runs ?? 10, 1)
  const seed = wholeNumber('reproduce seed', options.seed, 0)
  refuseEpsilons('streams', options)
  const data = options.data === undefined ? [standInStream(seed)] : await readStreams(options.data)
  const all = await runStreams(data, { ...options, runs, seed, batch: BATCH })
  const records = recordsOfStreams(all)
  const names = data.map(({ name }) => name)
  const text = options.json ? `${JSON.stringify(records, null, 2)}\n` : textOf(records, names, runs)
  if (options.out === undefined) return { records, text }
  const given = options.data === undefined ? undefined : 'FOLDER'
  const command = options.command ?? callOf('reproduce', `'streams'`, { data: given, runs, seed })
  const figures = streamFigures(all, { runs, seed, command }, svgDocument())
  for (const { id, svg } of figures) await writeWhole(join(options.out, `${id}.svg`), `${svg}\n`)
  await writeWhole(join(options.out, 'records.json'), `${JSON.stringify(records, null, 2)}\n`)
  const blocks: Block[] = [
    { kind: 'code', text: command },
    ...figures.map(({ svg, caption }) => ({ kind: 'figure', svg, caption }) as const),
    { kind: 'heading', text: 'All numbers' },
    ...names.map((name) => ({
      kind: 'table' as const,
      caption: `${name}: prequential accuracy on clean labels`,
      head,
      rows: rowsOf(records, name),
      words: 2,
    })),
  ]
  const path = join(options.out, 'streams.html')
  await writeWhole(path, page({ title, lead, blocks, footer: 'The numbers are also in records.json.' }))
  return { records, text, page: path }
}

function rowsOf(records: readonly StreamRecord[], data: string): string[][] {
  const here = records.filter((record) => record.data === data)
  const find = (like: StreamRecord, noise: string, metric: string): StreamRecord | undefined =>
    here.find(
      (r) =>
        r.method === like.method && r.variant === like.variant && r.noise === noise && r.metric === metric,
    )
  return here
    .filter(({ noise, metric }) => noise === 'none' && metric === 'accuracy')
    .map((record) => {
      const waves = find(record, 'waves', 'accuracy')
      const errors = (['none', 'waves'] as const).map((noise) => find(record, noise, 'levelError'))
      return [
        record.method,
        record.variant,
        fixed(record.mean),
        fixed(waves?.mean ?? Number.NaN),
        short(waves?.sem ?? Number.NaN),
        ...errors.map((error) => (error === undefined ? '' : fixed(error.mean))),
      ]
    })
}

function textOf(records: readonly StreamRecord[], names: readonly string[], runs: number): string {
  const blocks = names.map((name) => {
    const heading = `${name}, batches of ${BATCH}, ${runs} runs: prequential accuracy on clean labels`
    return [heading, ...aligned([head, ...rowsOf(records, name)], 2)].join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}
