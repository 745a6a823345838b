import { basename } from 'node:path'
import {
  type Column,
  type ColumnSummary,
  type PlainFit,
  plainFit,
  type SummaryOptions,
  summariseColumns,
  type TableFit,
} from '@rlvi/estimator'
import { writeAtomic } from '@rlvi/io'
import type { OwnColumns } from '@rlvi/report'
import { read, type Table } from '@rlvi/tables'
import { cellAt } from '../table/cell.js'
import { flagWords } from '../table/flag-words.js'
import { filesName } from '../table/open.js'
import { commandLine } from '../terminal/command-line.js'
import { cellRules } from '../terminal/reading-flags.js'
import { version } from '../version.js'
import { type FitFlags, fitFlags } from './flags.js'
import type { FitOptions } from './options.js'

/** What a report is made of. */
export interface ReportParts {
  readonly files: readonly string[]
  readonly options: FitOptions
  readonly given: FitFlags
  readonly fit: TableFit
  readonly plain: PlainFit
  readonly columns: readonly ColumnSummary[]
  readonly values: OwnColumns
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
  options: FitOptions,
): Promise<OwnTable> {
  const names = table.columns.map(({ name }) => name)
  const others = await read(table, {
    features: names.filter((name) => !chosen.has(name)),
    ...cellRules(options),
  })
  const columns = new Map(names.map((name) => [name, chosen.get(name) ?? others.get(name)!]))
  return { columns, index: table.columns.find(({ isIndex }) => isIndex)?.name }
}

/** What a page shows of a table that is in memory. */
export function shownOf(
  files: readonly string[],
  fit: TableFit,
  own: OwnTable,
  options: FitOptions,
): Pick<ReportParts, 'plain' | 'columns' | 'values'> {
  const all = [...own.columns.values()]
  return {
    plain: plainFit(fit, { intercept: options.intercept }),
    columns: summaries(fit, own, options, filesName(files)),
    values: { names: [...own.columns.keys()], value: (column, row) => cellAt(all[column]!, row) },
  }
}

/** `rlvi fit --report`: one page about the fit. */
export async function writeReport(path: string, parts: ReportParts): Promise<void> {
  const { files, options, given, seconds, ...shown } = parts
  // Plots are only loaded where some are drawn.
  const { fitReport, svgDocument } = await import('@rlvi/report')
  const html = fitReport(
    {
      source: basename(filesName(files)),
      ...shown,
      made: [
        ['command', commandLine('fit', files, fitFlags, given)],
        ['rlvi', version],
        ['date', new Date().toISOString().slice(0, 19).replace('T', ' ')],
        ['seed', String(options.seed)],
        ['time', `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`],
      ],
    },
    svgDocument(),
  )
  await writeAtomic(path, html)
}

/** The columns at a glance, with what this fit made of each. */
function summaries(
  fit: TableFit,
  { columns, index }: OwnTable,
  options: FitOptions,
  source: string,
): readonly ColumnSummary[] {
  const asked = summaryOptions(fit, options, (name) => columns.has(name))
  return asUsed(summariseColumns(columns, asked, flagWords(source)), fit, index, options)
}

/** How a fit read the columns. */
export function summaryOptions(
  { model }: TableFit,
  { target, dateParts, categories, numbers, ...options }: FitOptions,
  has: (name: string) => boolean,
): SummaryOptions {
  const known = (lists: readonly string[] | undefined): string[] =>
    (lists ?? []).flatMap((list) => list.split(',')).filter(has)
  return {
    target,
    model: model.fitted.model,
    features: model.features.map(({ name }) => name),
    ...cellRules(options),
    dateParts,
    categories: known(categories),
    numbers: known(numbers),
  }
}

/** Columns with what a fit made of them, whatever it would have made of each alone. */
export function asUsed(
  all: readonly ColumnSummary[],
  { model }: TableFit,
  index: string | undefined,
  options: FitOptions,
): readonly ColumnSummary[] {
  const used = new Set(model.features.map(({ name }) => name))
  return all.map((column) => {
    const { name, use } = column
    if (name === options.target || used.has(name)) return column
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
