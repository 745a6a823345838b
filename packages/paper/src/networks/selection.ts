import { RlviError } from 'rlvi'
import { type Cell, sameCell } from './cell.js'
import { anyMethod, type NetworkExperiment, rateFor } from './experiments.js'

/** Which cells of an experiment are run. */
export interface Selection {
  /** The paper's whole grid, not the short selection. */
  readonly full: boolean
  /** `method=rlvi,noise=pairflip`; a key may come again, for more values. */
  readonly only: readonly string[]
  readonly runs?: number
  readonly epochs?: number
  readonly limit?: number
  /** The first run's; the others count on. */
  readonly seed: number
}

/** The cells to run: of the paper's grid what was asked for, and where nothing was said, the short selection. */
export function selectCells(experiment: NetworkExperiment, selection: Selection): Cell[] {
  const { full, seed } = selection
  const { quick } = experiment
  const only = parseOnly(selection.only)
  const pick = <T extends string | number>(
    key: string,
    all: readonly T[],
    few: readonly T[],
  ): readonly T[] => {
    const asked = only.get(key)
    if (asked === undefined) return full ? all : few
    return asked.map((text) => known(key, text, all))
  }
  const noises = pick('noise', experiment.noises, quick.noises)
  const rates = pick('rate', experiment.rates, quick.rates)
  const asked = only.get('method')?.map((text) => known('method', text, anyMethod))
  const methods = asked ?? (full ? experiment.methods : quick.methods)
  const epochs = selection.epochs ?? (full ? experiment.epochs : quick.epochs)
  const limit = selection.limit ?? (full ? undefined : quick.limit)
  const runs = selection.runs ?? (full ? experiment.runs : 1)
  const cells: Cell[] = []
  for (let run = 0; run < runs; run++)
    for (const noise of noises)
      for (const rate of rates)
        for (const method of methods) {
          const cell: Cell = {
            dataset: experiment.dataset,
            noise,
            rate: rateFor(noise, rate, method),
            method,
            seed: seed + run,
            epochs,
            ...(limit === undefined ? {} : { limit }),
          }
          if (!cells.some((other) => sameCell(other, cell))) cells.push(cell)
        }
  return cells
}

/** Whether a result belongs into the table of these cells: the same data set, epochs and images. */
export function belongsTo(experiment: NetworkExperiment, cells: readonly Cell[]): (cell: Cell) => boolean {
  const [first] = cells
  return ({ dataset, epochs, limit, noise, method }) =>
    dataset === experiment.dataset &&
    epochs === first?.epochs &&
    limit === first.limit &&
    experiment.noises.includes(noise) &&
    (experiment.methods.includes(method) || cells.some((cell) => cell.method === method))
}

/** Values by key. */
function parseOnly(texts: readonly string[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const part of texts.flatMap((text) => text.split(','))) {
    const [key = '', value, ...more] = part.split('=')
    if (!['method', 'noise', 'rate'].includes(key) || value === undefined || value === '' || more.length > 0)
      throw new RlviError('only', 'method=NAME, noise=NAME or rate=NUMBER is needed', part)
    found.set(key, [...(found.get(key) ?? []), value])
  }
  return found
}

function known<T extends string | number>(key: string, text: string, all: readonly T[]): T {
  const found = all.find((value) => (typeof value === 'number' ? value === Number(text) : value === text))
  if (found === undefined) throw new RlviError('only', `${key} must be one of ${all.join(', ')}`, text)
  return found
}
