import type { ColumnSummary } from '@rlvi/estimator'
import type { TableLook } from '@rlvi/tables'
import { grid, indented, inLine, partsOf } from '../terminal/layout.js'
import { printable } from '../terminal/printable.js'

/** The columns of a table, a line each. */
export function toText(source: string, { rows, columns }: TableLook, width?: number): string {
  const header = ['column', 'type', 'missing', 'values', 'shape', 'fit']
  const lines = columns.map((column) => [
    column.name,
    column.kind,
    column.missing === 0 ? '' : share(column.missing / column.rows),
    valuesOf(column),
    column.bins === undefined ? '' : shape(column.bins),
    useOf(column),
  ])
  const many = `${grouped(rows)} row${rows === 1 ? '' : 's'}, ${columns.length} column${columns.length === 1 ? '' : 's'}`
  const head = `${printable(source)}: ${many}\n`
  const room = width === undefined ? undefined : width - 2
  // In many parts nobody finds what belongs to a column.
  if (room !== undefined && partsOf(header, lines, room) > MOST_PARTS)
    return `${head}${lines.map((line) => stacked(line, room)).join('')}`
  return `${head}${indented(grid(header, lines, { left: [0, 1, 3, 4, 5], width: room }))}`
}

const MOST_PARTS = 2

/** All of a column in lines below each other, for a terminal that has no room for them beside each other. */
function stacked(
  [name = '', type = '', missing = '', values = '', shown = '', fit = '']: readonly string[],
  room: number,
): string {
  const kind = missing === '' ? type : `${type}, ${missing} missing`
  const own = inLine(name, Math.max(NARROWEST, room - kind.length - 2))
  const rest = [shown === '' ? values : `${shown}  ${values}`, fit].filter((text) => text !== '')
  const below = rest.map((text) => `    ${inLine(text, Math.max(NARROWEST, room - 2))}\n`)
  return `  ${own}  ${kind}\n${below.join('')}`
}

const NARROWEST = 10

function valuesOf({ kind, range, distinct, top }: ColumnSummary): string {
  if (range !== undefined) return range[0] === range[1] ? `always ${range[0]}` : `${range[0]} to ${range[1]}`
  if (distinct === undefined && top === undefined) return ''
  const some = (top ?? []).slice(0, 3).map(({ value }) => value)
  if (kind === 'mixed') return `words: ${some.join(', ')}`
  const all = distinct ?? some.length
  // So many that none is named are not counted one by one.
  if (some.length === 0) return `about ${grouped(Number(all.toPrecision(2)))} different`
  return `${grouped(all)} different: ${some.join(', ')}${all > some.length ? ', …' : ''}`
}

function useOf({ use }: ColumnSummary): string {
  if (use.as === 'feature') return use.how
  return use.as === 'problem' ? `problem: ${use.how}` : `${use.as}: ${use.how}`
}

const bars = ' ▁▂▃▄▅▆▇█'

/** A histogram in twelve signs: what is there at all is never empty. */
function shape(bins: readonly number[]): string {
  const pairs = Array.from({ length: bins.length / 2 }, (_, k) => bins[2 * k]! + bins[2 * k + 1]!)
  const most = Math.max(...pairs)
  return pairs.map((count) => bars[count === 0 ? 0 : Math.max(1, Math.round((8 * count) / most))]).join('')
}

/** A count with commas, without the tables of all languages, which take longer to load than most files to count. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

function share(value: number): string {
  const percent = 100 * value
  if (percent >= 99.5 && percent < 100) return `${Math.floor(10 * percent) / 10} %`
  return percent < 0.1 ? '< 0.1 %' : `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`
}
