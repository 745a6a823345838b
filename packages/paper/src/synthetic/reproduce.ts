import { join } from 'node:path'
import { type Block, page, svgDocument } from '@rlvi/report'
import { RlviError } from 'rlvi'
import { callOf, type Figure, type Provenance } from '../shared/figure.js'
import { type ReproduceOptions, type Reproduction, wholeNumber } from '../shared/reproduction.js'
import { writeWhole } from '../write.js'
import type { Experiment } from './experiments.js'
import { figuresOf } from './figures.js'
import { type ExperimentRecord, type MethodRuns, recordsOf, runSettings } from './records.js'
import { bySetting, tableHead, tableRow, textTable } from './table.js'

/** All methods side by side, and where paper and released code differ, both. */
export async function reproduceSynthetic(
  experiment: Experiment,
  options: ReproduceOptions,
): Promise<Reproduction<ExperimentRecord>> {
  const { name } = experiment
  const runs = wholeNumber('reproduce runs', options.runs ?? 100, 1)
  const seed = wholeNumber('reproduce seed', options.seed, 0)
  if (options.data !== undefined) {
    throw new RlviError('reproduce data', `${name} makes its own data; leave it out`, options.data)
  }
  const epsilons = [...new Set(options.epsilons ?? experiment.epsilons)]
  for (const epsilon of epsilons) {
    if (!(epsilon >= 0 && epsilon < 1)) {
      throw new RlviError('reproduce epsilons', 'a level is at least 0 and less than 1', epsilon)
    }
  }
  const names = [...new Set(experiment.panels.map((panel) => panel.problem))]
  const settings = names.flatMap((problem) => epsilons.map((epsilon) => ({ problem, epsilon })))
  const all = await runSettings(settings, { ...options, runs, seed })
  const records = recordsOf(all)
  const text = options.json ? `${JSON.stringify(records, null, 2)}\n` : textTable(all)
  if (options.out === undefined) return { records, text }
  const command =
    options.command ?? callOf('reproduce', `'${name}'`, { runs, seed, epsilons: options.epsilons })
  const provenance = { runs, seed, command }
  return { records, text, page: await write(experiment, all, records, provenance, options.out) }
}

async function write(
  experiment: Experiment,
  all: readonly MethodRuns[],
  records: readonly ExperimentRecord[],
  provenance: Provenance,
  out: string,
): Promise<string> {
  const figures = figuresOf(experiment, all, provenance, svgDocument())
  for (const { id, svg } of figures) await writeWhole(join(out, `${id}.svg`), `${svg}\n`)
  await writeWhole(join(out, 'records.json'), `${JSON.stringify(records, null, 2)}\n`)
  const path = join(out, `${experiment.name}.html`)
  // The page comes last: where it is, all it names is there too.
  await writeWhole(path, pageOf(experiment, all, figures, provenance))
  return path
}

function pageOf(
  experiment: Experiment,
  all: readonly MethodRuns[],
  figures: readonly Figure[],
  { runs, seed, command }: Provenance,
): string {
  const blocks: Block[] = [
    { kind: 'code', text: command },
    ...figures.map(({ svg, caption }) => ({ kind: 'figure', svg, caption }) as const),
    { kind: 'heading', text: 'All numbers' },
    {
      kind: 'paragraph',
      text:
        `${runs} data sets for each problem and level, seed ${seed}. ‘released’ is the authors’ code with its slips, ‘corrected’ what ` +
        'the paper says; ‘calibrated’ is the recommended method of this library, in neither; other names are diagnostic variants. Names ' +
        'joined by = are one computation.',
    },
    ...[...bySetting(all)].map(([caption, block]) => ({
      kind: 'table' as const,
      caption,
      head: tableHead,
      rows: block.map(tableRow),
      words: 2,
    })),
  ]
  const footer =
    'RLVI: Robust learning via variational inference, ICML 2024. The numbers are also in records.json.'
  return page({ title: experiment.title, lead: experiment.lead, blocks, footer })
}
