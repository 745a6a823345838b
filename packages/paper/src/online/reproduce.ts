import { join } from 'node:path'
import { type Block, page, svgDocument } from '@rlvi/report'
import { callOf, type Figure, type Provenance } from '../shared/figure.js'
import {
  type ReproduceOptions,
  type Reproduction,
  refuseEpsilons,
  wholeNumber,
} from '../shared/reproduction.js'
import { writeWhole } from '../write.js'
import { type ActivityData, readActivity } from './data/activity.js'
import { standInActivity } from './data/windows.js'
import type { OnlineExperiment } from './experiments.js'
import { onlineFigures } from './results/figures.js'
import { isPublished, readingsHead, readingsRows, readingsTitle } from './results/readings.js'
import { type OnlineRecord, recordsOfOnline } from './results/records.js'
import {
  onlineTableHead,
  onlineTableRows,
  onlineText,
  weightRows,
  weightsHead,
  weightsTitle,
} from './results/table.js'
import { runOnline, type SizeRuns } from './runs.js'

/** The paper's Section 4.2 and Appendix B: every method on the same stream, in many orders. */
export async function reproduceOnline(
  experiment: OnlineExperiment,
  options: ReproduceOptions,
): Promise<Reproduction<OnlineRecord>> {
  const runs = wholeNumber('reproduce runs', options.runs ?? 10, 1)
  const seed = wholeNumber('reproduce seed', options.seed, 0)
  refuseEpsilons(experiment.name, options)
  const data = options.data === undefined ? standInActivity(seed) : await readActivity(options.data)
  const all = await runOnline(data, experiment.sizes, { ...options, runs, seed })
  const records = recordsOfOnline(data.name, all)
  const text = options.json ? `${JSON.stringify(records, null, 2)}\n` : onlineText(records, runs, all)
  if (options.out === undefined) return { records, text }
  const given = options.data === undefined ? undefined : data.name
  const command = options.command ?? callOf('reproduce', `'${experiment.name}'`, { data: given, runs, seed })
  const provenance = { runs, seed, command }
  const figures = onlineFigures(data.name, all, provenance, svgDocument())
  for (const { id, svg } of figures) await writeWhole(join(options.out, `${id}.svg`), `${svg}\n`)
  await writeWhole(join(options.out, 'records.json'), `${JSON.stringify(records, null, 2)}\n`)
  const path = join(options.out, `${experiment.name}.html`)
  // The page comes last: where it is, all it names is there too.
  await writeWhole(path, pageOf(experiment, data, all, records, figures, provenance))
  return { records, text, page: path }
}

function pageOf(
  experiment: OnlineExperiment,
  data: ActivityData,
  all: readonly SizeRuns[],
  records: readonly OnlineRecord[],
  figures: readonly Figure[],
  { runs, command }: Provenance,
): string {
  const blocks: Block[] = [
    { kind: 'code', text: command },
    {
      kind: 'paragraph',
      text:
        `Data: ${data.name}, ${data.features.rows} rows of ${data.features.cols} features. The rows are shuffled anew in each run ` +
        'and cut into chunks: first the test rows, with clean labels, then the training rows, of whose positive labels a share ' +
        'drawn from PERT(0, .1, .3) is flipped. Features are scaled by the training rows of their chunk.',
    },
    ...figures.map(({ svg, caption }) => ({ kind: 'figure', svg, caption }) as const),
    { kind: 'heading', text: 'All numbers' },
    {
      kind: 'paragraph',
      text: `Means over all batches and ${runs} runs. ‘|level error|’ is the mean distance between the estimated and the true share of flipped labels in a batch, ‘bias’ the mean difference, ‘of positives’ the distance for the share of its positives.`,
    },
    ...experiment.sizes.map(({ train }) => ({
      kind: 'table' as const,
      caption: `Batches of ${train}`,
      head: onlineTableHead,
      rows: onlineTableRows(records, train),
      words: 2,
    })),
    ...experiment.sizes.map(({ train }) => ({
      kind: 'table' as const,
      caption: `Batches of ${train}: ${weightsTitle}`,
      head: weightsHead,
      rows: weightRows(records, train),
      words: 2,
    })),
    ...all.filter(isPublished).map((one) => ({
      kind: 'table' as const,
      caption: readingsTitle,
      head: readingsHead,
      rows: readingsRows(one),
      words: 0,
    })),
  ]
  const footer =
    'RLVI: Robust learning via variational inference, ICML 2024. The numbers are also in records.json.'
  return page({ title: experiment.title, lead: experiment.lead, blocks, footer })
}
