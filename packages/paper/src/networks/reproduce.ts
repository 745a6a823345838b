import { join } from 'node:path'
import { type EnsembleMember, type Executor, onnxExecutor, readWeightFile } from '@rlvi/nn'
import { type Block, page, svgDocument } from '@rlvi/report'
import { type DataSet, fingerprint, imagesOf, limited, loadData, settingsFor } from '@rlvi/vision'
import { phrase, RlviError } from 'rlvi'
import { callOf, type Figure } from '../shared/figure.js'
import type { Reproduction } from '../shared/reproduction.js'
import { writeWhole } from '../write.js'
import { type Cell, type CellResult, cellName, type NetworkRecord, recordOf } from './cell.js'
import { findCell, readCells, writeCell } from './cell-files.js'
import type { NetworkExperiment } from './experiments.js'
import { networkFigures } from './figures.js'
import { runCell } from './run-cell.js'
import { belongsTo, type Selection, selectCells } from './selection.js'
import { blocksOf, textOf } from './table.js'

/** Which cells to run, on what, and where the results lie. */
export interface NetworkExperimentOptions extends Selection {
  /** A folder for the cells, which are not run again, the page and the figures. */
  readonly out?: string
  /** A folder with the data set's files, in place of the fetched ones. */
  readonly data?: string
  /** A file with pre-trained weights, for Food-101. */
  readonly weights?: string
  readonly executor?: Executor
  /** Cells that are trained at the same time: on a card, small networks do not fill it one by one. Default 1. */
  readonly parallel?: number
  /**
   * Makes executors whose networks are trained as one program. With it, LeNets of the same method are trained together, of all of
   * them as many as `parallel` says; such cells have no checkpoints of their own.
   */
  readonly ensemble?: (members: number) => readonly EnsembleMember[]
  /** How it was asked for, as the page and its captions show it. Default: the call. */
  readonly command?: string
  readonly onCell?: (cell: Cell, number: number, total: number, cached: boolean) => void
  readonly onProgress?: (share: number, cell: Cell) => void
  /** A cell whose losses are no numbers any more; the others go on. */
  readonly onFailure?: (cell: Cell, error: RlviError) => void
}

/** What the cells came to. */
export type NetworkReproduction = Reproduction<NetworkRecord>

/** The paper's Section 4.3: runs the cells that were asked for and are not there yet, and reports all that are. */
export async function runNetworkExperiment(
  experiment: NetworkExperiment,
  options: NetworkExperimentOptions,
): Promise<NetworkReproduction> {
  const cells = selectCells(experiment, options)
  const belongs = belongsTo(experiment, cells)
  const { out } = options
  // Damaged results are reported before hours are spent on others.
  const there = out === undefined ? [] : await readCells(out, belongs)
  const data = await dataFor(experiment, options.data)
  const images = imagesOf(limited(data, cells[0]?.limit, 0))
  const checksum = await fingerprint(data.train)
  const weights = options.weights === undefined ? {} : { weights: await readWeightFile(options.weights) }
  const executor = options.executor ?? onnxExecutor()
  const results = [...there]
  const train = async (cell: Cell, own: Executor, checkpoint: string | undefined): Promise<void> => {
    const isCached = findCell(there, cell, images, checksum) !== undefined
    options.onCell?.(cell, cells.indexOf(cell) + 1, cells.length, isCached)
    if (isCached) return
    try {
      const result = await runCell(data, cell, {
        executor: own,
        ...weights,
        ...(checkpoint === undefined ? {} : { checkpoint: join(checkpoint, cellName(cell)) }),
        onProgress: ({ epoch, step, steps }) =>
          options.onProgress?.((epoch - 1 + step / steps) / cell.epochs, cell),
      })
      if (out !== undefined) await writeCell(out, result)
      results.push(result)
    } catch (error) {
      if (options.onFailure === undefined || !hasDiverged(error)) throw error
      options.onFailure(cell, error)
    }
  }
  const parallel = Math.max(1, options.parallel ?? 1)
  const { ensemble } = options
  const isTogether =
    ensemble !== undefined && isSmall(data) && cells.every(({ limit }) => limit === undefined)
  if (isTogether) {
    const missing = cells.filter((cell) => findCell(there, cell, images, checksum) === undefined)
    for (const cell of cells) if (!missing.includes(cell)) await train(cell, executor, undefined)
    const programs = Math.max(1, Math.min(PROGRAMS, Math.floor(parallel / WORTH_A_PROGRAM)))
    await someAtATime(groupsOf(missing, Math.ceil(parallel / programs)), programs, (group) =>
      trainTogether(group, ensemble(group.length), train),
    )
  } else {
    const checkpoints = out === undefined ? undefined : join(out, 'checkpoints')
    await someAtATime(cells, parallel, (cell) => train(cell, executor, checkpoints))
  }
  return toReproduction(experiment, results, cells, options)
}

/**
 * Small networks are trained as so many programs at a time, where each has enough of them: while some are at the end of an epoch, the
 * others keep the card busy.
 */
const PROGRAMS = 4
const WORTH_A_PROGRAM = 8

/** Does what there is to do in its order, some at a time. Where one fails, no other is begun. */
async function someAtATime<Job>(
  jobs: readonly Job[],
  count: number,
  run: (job: Job) => Promise<void>,
): Promise<void> {
  const rest = [...jobs]
  const work = async (): Promise<void> => {
    for (let job = rest.shift(); job !== undefined; job = rest.shift()) {
      try {
        await run(job)
      } catch (error) {
        rest.length = 0
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: count }, work))
}

/** Whether the paper's network for these images leaves a card mostly idle. */
function isSmall({ name, train }: DataSet): boolean {
  return settingsFor(name, train).network === 'lenet'
}

/** Cells of the same method, whose steps have the same graph, some at a time. */
export function groupsOf(cells: readonly Cell[], most: number): readonly (readonly Cell[])[] {
  const byMethod = new Map<string, Cell[]>()
  for (const cell of cells) byMethod.set(cell.method, [...(byMethod.get(cell.method) ?? []), cell])
  return [...byMethod.values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / most) }, (_, k) => own.slice(k * most, (k + 1) * most)),
  )
}

/** Trains cells as one program. One that fails does not keep the others waiting. */
export async function trainTogether(
  cells: readonly Cell[],
  members: readonly EnsembleMember[],
  train: (cell: Cell, executor: Executor, checkpoint: undefined) => Promise<void>,
): Promise<void> {
  const ended = await Promise.allSettled(
    cells.map(async (cell, k) => {
      try {
        await train(cell, members[k]!, undefined)
      } finally {
        members[k]!.leave()
      }
    }),
  )
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}

/** Whether a training was stopped because its numbers are none any more. */
function hasDiverged(error: unknown): error is RlviError {
  return error instanceof RlviError && /\bfinite\b/.test(error.rule)
}

async function dataFor({ name, dataset }: NetworkExperiment, folder: string | undefined): Promise<DataSet> {
  const data = await loadData(folder ?? dataset)
  if (data.name !== dataset)
    throw new RlviError(
      'data',
      `${name} needs the files of ${dataset}`,
      phrase(data.name),
      'check the folder',
    )
  return data
}

async function toReproduction(
  experiment: NetworkExperiment,
  results: readonly CellResult[],
  cells: readonly Cell[],
  options: NetworkExperimentOptions,
): Promise<NetworkReproduction> {
  const sorted = [...results].sort((a, b) => order(experiment, a) - order(experiment, b))
  const records = sorted.map(recordOf)
  const blocks = blocksOf(experiment, records)
  const remark = extent(experiment, cells, sorted)
  const text = `${experiment.title}: ${remark}\n\n${textOf(blocks)}\n`
  const { out } = options
  if (out === undefined) return { records, text }
  const command = options.command ?? ownCall(experiment, options)
  const figures = experiment.timed === true ? [] : networkFigures(sorted, command, svgDocument())
  for (const { id, svg } of figures) await writeWhole(join(out, `${id}.svg`), `${svg}\n`)
  await writeWhole(join(out, 'records.json'), `${JSON.stringify(records, null, 2)}\n`)
  const path = join(out, `${experiment.name}.html`)
  // The page comes last: where it is, all it names is there too.
  await writeWhole(path, pageOf(experiment, remark, command, blocks, figures))
  return { records, text, page: path }
}

function order({ noises, methods }: NetworkExperiment, { cell }: CellResult): number {
  return (noises.indexOf(cell.noise) * 100 + cell.rate) * 1e4 + methods.indexOf(cell.method) * 1e2 + cell.seed
}

/** How much of the paper's experiment this is, in words. */
function extent(
  experiment: NetworkExperiment,
  cells: readonly Cell[],
  results: readonly CellResult[],
): string {
  const { epochs = 0, limit } = cells[0] ?? {}
  const some = limit === undefined ? '' : `, on ${limit} images only`
  const isLess = experiment.timed !== true && (epochs < experiment.epochs || limit !== undefined)
  const less = isLess ? `; the paper trains for ${experiment.epochs}` : ''
  const whole = selectCells(experiment, { full: true, only: [], seed: 0 }).length
  // Methods that are not the paper's can be asked for by name.
  const others = results.filter(({ cell }) => !experiment.methods.includes(cell.method)).length
  const own = results.length - others
  const runs = own === 1 ? '1 run' : `${own} runs`
  const more = others === 0 ? '' : `, and ${others} by other methods`
  return `${runs} of the ${whole} of the whole experiment${more}, ${epochs} epochs${some}${less}`
}

function ownCall(
  { name }: NetworkExperiment,
  { full, only, runs, epochs, limit, seed }: NetworkExperimentOptions,
): string {
  const what = `networkExperiments.get('${name}')`
  return callOf('runNetworkExperiment', what, { full, only, runs, epochs, limit, seed })
}

function pageOf(
  { title, lead }: NetworkExperiment,
  remark: string,
  command: string,
  tables: ReturnType<typeof blocksOf>,
  figures: readonly Figure[],
): string {
  const blocks: Block[] = [
    { kind: 'code', text: command },
    {
      kind: 'paragraph',
      text: `${remark[0]?.toUpperCase()}${remark.slice(1)}. Results may come from several commands.`,
    },
    ...figures.map(({ svg, caption }) => ({ kind: 'figure', svg, caption }) as const),
    { kind: 'heading', text: 'All numbers' },
    ...tables.map(({ caption, head, rows }) => ({ kind: 'table' as const, caption, head, rows })),
  ]
  const footer =
    'Accuracy in per cent on the clean test set after the last epoch, of CDR after the epoch that validates best. The numbers are also in records.json, and for every epoch in the folder cells.'
  return page({ title, lead, blocks, footer })
}
