import { basename } from 'node:path'
import { type Column, type Columns, plainFit, summariseColumns, type TableFit } from '@rlvi/estimator'
import { writeAtomic } from '@rlvi/io'
import { fitReport, svgDocument } from '@rlvi/report'
import { read, type Table } from '@rlvi/tables'
import { valueOf } from '../table/cell.js'
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
  /** All columns of the file, as they are. */
  readonly columns: Columns
  readonly seconds: number
}

/** The columns that a fit asked for, and all others of the file in their places: a row is known by its id, too. */
export async function withOthers(
  table: Table,
  chosen: ReadonlyMap<string, Column>,
  { missing, decimal }: FitOptions,
): Promise<Map<string, Column>> {
  const names = table.columns.map(({ name }) => name)
  const others = await read(table, { features: names.filter((name) => !chosen.has(name)), missing, decimal })
  return new Map(names.map((name) => [name, chosen.get(name) ?? others.get(name)!]))
}

/** `rlvi fit --report`: one page about the fit. */
export async function writeReport(path: string, parts: ReportParts): Promise<void> {
  const { files, options, given, fit, seconds } = parts
  const columns = parts.columns as ReadonlyMap<string, Column>
  const names = [...columns.keys()]
  const own = [...columns.values()]
  const { intercept, seed } = options
  const html = fitReport(
    {
      source: basename(filesName(files)),
      fit,
      plain: plainFit(fit, { intercept }),
      columns: summaries(fit, columns, options, filesName(files)),
      values: { names, value: (column, row) => valueOf(own[column]!, row) },
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
  columns: ReadonlyMap<string, Column>,
  options: FitOptions,
  source: string,
): ReturnType<typeof summariseColumns> {
  const { target, missing, decimal, dateParts } = options
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
    if (column.name === target || used.has(column.name) || column.use.as !== 'feature') return column
    // It could be used and is not: who asked for the fit did not ask for it, or other columns determine it.
    const asked = isAsked(column.name, options)
    const how = asked ? 'other columns determine it, or it names the rows' : 'not asked for'
    return { ...column, use: { as: 'left out', how } as const }
  })
}

function isAsked(name: string, { features, exclude }: FitOptions): boolean {
  const has = (lists: readonly string[]): boolean =>
    lists.some((list) => list === name || list.split(',').includes(name))
  return features === undefined ? !has(exclude ?? []) : has(features)
}
