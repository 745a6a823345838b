import { fitSource, flagBelow, type JudgedBlock, type SourceFit } from '@rlvi/estimator'
import {
  type Column,
  type InputRows,
  look,
  type OutColumn,
  type OutTable,
  type Table,
  type TableSource,
  withRowSource,
  writePieces,
} from '@rlvi/tables'
import { type Chosen, likeCodes } from '../table/columns.js'
import { showing } from '../table/fit-progress.js'
import { flagWords } from '../table/flag-words.js'
import { formulasRemark } from '../table/write-rows.js'
import type { Show } from '../terminal/busy.js'
import type { Io } from '../terminal/io.js'
import { cellRules } from '../terminal/reading-flags.js'
import { rowNumber } from '../terminal/row-number.js'
import { sampleRows } from './memory.js'
import type { FitOptions } from './options.js'
import { asUsed, type ReportParts, summaryOptions } from './report.js'

/** What is done with a fit while its table is open. */
export interface Afterwards {
  /** Throws where an option does not go with the fit. */
  check(fit: SourceFit): void
  report(path: string, fit: SourceFit, shown: Shown): Promise<void>
}

type Shown = Pick<ReportParts, 'plain' | 'columns' | 'values'>

/** So many of the worst rows a page lists. */
const REPORTED_ROWS = 1000

/** What a page shows of a table that is not in memory: columns by all rows, and the rows that it lists as they are. */
async function shownOf(
  table: Table,
  source: TableSource,
  fit: SourceFit,
  options: FitOptions,
): Promise<Shown> {
  const names = table.columns.map(({ name }) => name)
  const order = Array.from(fit.clean.keys()).sort(
    (a, b) => fit.clean[a]! - fit.clean[b]! || fit.losses[b]! - fit.losses[a]!,
  )
  const listed = new Set(order.slice(0, fit.part!.worst).map((i) => fit.rows[i]!))
  const rows = await source.rowsAt(listed, names)
  const asked = summaryOptions(fit, options, (name) => names.includes(name))
  const { columns } = await look(table, asked, flagWords(table.path))
  const index = table.columns.find(({ isIndex }) => isIndex)?.name
  return {
    plain: await fit.plain(),
    columns: asUsed(columns, fit, index, options),
    values: { names, value: (column, row) => rows.get(row)?.[column] ?? null },
  }
}

/** A fit of a table that does not fit into memory, with its rows written, where they were asked for. */
export async function fitOutOfCore(
  table: Table,
  chosen: Chosen,
  options: FitOptions,
  memory: number,
  io: Io,
  show: Show | undefined,
  { check, report }: Afterwards,
): Promise<SourceFit> {
  const { names, target, features, categories, numbers } = chosen
  const words = flagWords(table.path)
  show?.('looking at the columns')
  // The other half is for the blocks of rows, and for what the fit makes of them.
  const worstRows = options.report === undefined ? undefined : REPORTED_ROWS
  const wanted = {
    features: names,
    target,
    categories,
    ...cellRules(options),
    memory: memory / 2,
    sampleRows: sampleRows(names.length + 1, memory),
    worstRows,
  }
  return await withRowSource(table, wanted, async (source) => {
    const how = { ...options, features, categories, numbers, exclude: undefined, ...showing(show) }
    const found = await fitSource(source, how, words)
    const remarks = [...likeCodes(table, source.sample, chosen), ...found.remarks]
    const fit = { ...found, remarks: [...chosen.remarks, ...remarks] }
    check(fit)
    show?.('writing rows')
    await writeOutputs(table, source, fit, options, io)
    if (options.report !== undefined) {
      show?.('writing the report')
      await report(options.report, fit, await shownOf(table, source, fit, options))
    }
    return { ...fit, remarks }
  })
}

async function writeOutputs(
  table: Table,
  source: TableSource,
  fit: SourceFit,
  options: FitOptions,
  io: Io,
): Promise<void> {
  const { rows, good, flagged } = options
  const all = table.columns
  if (rows !== undefined) await write(rows, options.keep ? all : [], 'all')
  if (good !== undefined) await write(good, all, 'good')
  if (flagged !== undefined) await write(flagged, all, 'flagged')

  async function write(path: string, kept: readonly Column[], which: Which): Promise<void> {
    const out = outColumns(kept, fit, which)
    const aside = table.temporary('rows')
    const { formulas } = await writePieces(path, aside, out, options, (add) =>
      source.eachRows(
        kept.map(({ name }) => name),
        (piece) => add(pieceOf(piece, out, fit, which)),
      ),
    )
    formulasRemark(path, formulas, options, io)
  }
}

type Which = 'all' | 'good' | 'flagged'

/** A column of what is written: its value in a row of a piece. */
interface PieceColumn extends Pick<OutColumn, 'name' | 'kind'> {
  of(piece: InputRows, judged: JudgedBlock, row: number): ReturnType<OutColumn['at']>
}

function outColumns(kept: readonly Column[], fit: SourceFit, which: Which): PieceColumn[] {
  const own = kept.map((column, j): PieceColumn => {
    const kind = kindOf(column)
    return {
      name: column.name,
      kind,
      of({ text }, _, row) {
        const found = text(j, row)
        if (found === null || kind === 'text') return found
        return kind === 'boolean' ? found === 'true' : Number(found)
      },
    }
  })
  if (which !== 'all') return own
  const taken = new Set(kept.map(({ name }) => name))
  return [...own, ...judgedColumns(fit).map((column) => ({ ...column, name: unused(taken, column.name) }))]
}

/** In the type that it came in. Of a file without types all are texts, to the last sign. */
function kindOf({ kind, type }: Column): OutColumn['kind'] {
  if (kind === 'boolean') return 'boolean'
  if (kind !== 'number') return 'text'
  // Whole numbers that no double holds stay texts.
  if (/BIGINT|HUGEINT/.test(type)) return 'text'
  return /INT/.test(type) ? 'integer' : 'number'
}

function unused(taken: ReadonlySet<string>, name: string): string {
  return taken.has(name) ? unused(taken, `rlvi_${name}`) : name
}

function judgedColumns({ model, predicted, suggested }: SourceFit): PieceColumn[] {
  const known =
    (value: (judged: JudgedBlock, i: number) => ReturnType<OutColumn['at']>): PieceColumn['of'] =>
    ({ places }, judged, row) =>
      places[row]! < 0 ? null : value(judged, places[row]!)
  const classes = model.target?.classes
  const columns: PieceColumn[] = [
    { name: 'row', kind: 'integer', of: ({ first }, _, row) => rowNumber(first + row) },
    { name: 'clean', kind: 'number', of: known(({ clean }, i) => clean[i]!) },
    { name: 'flagged', kind: 'boolean', of: known(({ clean }, i) => clean[i]! < flagBelow) },
    { name: 'loss', kind: 'number', of: known(({ losses }, i) => losses[i]!) },
  ]
  if (predicted !== undefined)
    columns.push({ name: 'predicted', kind: 'number', of: known((judged, i) => judged.predicted![i]!) })
  if (suggested !== undefined)
    columns.push({
      name: 'suggested',
      kind: 'text',
      of: known((judged, i) => classes?.[judged.suggested![i]!] ?? null),
    })
  return columns
}

function pieceOf(piece: InputRows, columns: readonly PieceColumn[], fit: SourceFit, which: Which): OutTable {
  const judged = fit.judge(piece.block)
  const rows: number[] = []
  for (let i = 0; i < piece.rows; i++) {
    const at = piece.places[i]!
    const isFlagged = at >= 0 && judged.clean[at]! < flagBelow
    if (which === 'all' || (at >= 0 && isFlagged === (which === 'flagged'))) rows.push(i)
  }
  return {
    rows: rows.length,
    columns: columns.map(({ name, kind, of }) => ({ name, kind, at: (k) => of(piece, judged, rows[k]!) })),
  }
}
