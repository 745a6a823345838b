import { basename } from 'node:path'
import { type Column, plainFit, summariseColumns, type TableFit } from '@rlvi/estimator'
import { writeAtomic } from '@rlvi/io'
import { read, type Table } from '@rlvi/tables'
import { cellAt } from '../table/cell.js'
import { flagWords } from '../table/flag-words.js'
import { filesName } from '../table/open.js'
import { commandLine } from '../terminal/command-line.js'
import { version } from '../version.js'
import { type FitFlags, fitFlags } from './flags.js'
import type { FitOptions } from './options.js'

/** What a report is made of. */
export interface ReportParts {
  readonly files: readonly string[]
  readonly options: FitOptions
  readonly given: FitFlags
  readonly fit: TableFit
  readonly own: OwnTable
  readonly seconds: number
}

/** A file as it is. */
export interface OwnTable {
  readonly columns: ReadonlyMap<string, Column>
  /** The column that names or numbers the rows, and has no name. */
  readonly index: string | undefined
}

/** The columns that a fit asked for, and all others of the file in their places: a row is known by its id, too. */
export async function withOthers(
  table: Table,
  chosen: ReadonlyMap<string, Column>,
  { missing, decimal }: FitOptions,
): Promise<OwnTable> {
  const names = table.columns.map(({ name }) => name)
  const others = await read(table, { features: names.filter((name) => !chosen.has(name)), missing, decimal })
  const columns = new Map(names.map((name) => [name, chosen.get(name) ?? others.get(name)!]))
  return { columns, index: table.columns.find(({ isIndex }) => isIndex)?.name }
}

/** `rlvi fit --report`: one page about the fit. */
export async function writeReport(path: string, parts: ReportParts): Promise<void> {
  const { files, options, given, fit, seconds } = parts
  const { columns } = parts.own
  const names = [...columns.keys()]
  const own = [...columns.values()]
  const { intercept, seed } = options
  // Plots are only loaded where some are drawn.
  const { fitReport, svgDocument } = await import('@rlvi/report')
  const html = fitReport(
    {
      source: basename(filesName(files)),
      fit,
      plain: plainFit(fit, { intercept }),
      columns: summaries(fit, parts.own, options, filesName(files)),
      values: { names, value: (column, row) => cellAt(own[column]!, row) },
      made: [
        ['command', commandLine('fit', files, fitFlags, given)],
        ['rlvi', version],
        ['date', new Date().toISOString().slice(0, 19).replace('T', ' ')],
        ['seed', String(seed)],
        ['time', `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`],
      ],
    },
    svgDocument(),
  )
  await writeAtomic(path, html)
}

/** The columns at a glance, with what this fit made of each. */
function summaries(
  { model }: TableFit,
  own: OwnTable,
  options: FitOptions,
  source: string,
): ReturnType<typeof summariseColumns> {
  const { target, missing, decimal, dateParts } = options
  const { columns, index } = own
  const used = new Set(model.features.map(({ name }) => name))
  const known = (names: readonly string[] | undefined): string[] =>
    (names ?? []).filter((name) => columns.has(name))
  const all = summariseColumns(
    columns,
    {
      target,
      model: model.fitted.model,
      missing,
      decimal,
      dateParts,
      categories: known(options.categories?.flatMap((list) => list.split(','))),
      numbers: known(options.numbers?.flatMap((list) => list.split(','))),
    },
    flagWords(source),
  )
  return all.map((column) => {
    const { name, use } = column
    if (name === target || used.has(name)) return column
    const reason = use.as === 'feature' ? 'other columns determine it' : use.how
    const how = !isAsked(name, options)
      ? 'not asked for'
      : name === index
        ? 'names or numbers the rows'
        : reason
    return { ...column, use: { as: 'left out', how } as const }
  })
}

function isAsked(name: string, { features, exclude }: FitOptions): boolean {
  const has = (lists: readonly string[]): boolean =>
    lists.some((list) => list === name || list.split(',').includes(name))
  return features === undefined ? !has(exclude ?? []) : has(features)
}
