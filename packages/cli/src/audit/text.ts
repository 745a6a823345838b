import { asWritten, brief, grid } from '../terminal/layout.js'
import { printable } from '../terminal/printable.js'
import { rowHeader } from '../terminal/row-number.js'
import { type Findings, isOfLabels, type Suspect, summaryOf, worthALook } from './suspects.js'

/** On a terminal nobody reads a hundred lines; files, JSON and the report have all that was asked for. */
const MOST_LINES = 20
const MOST_COLUMNS = 4

/** What a person reads at the end of an audit. */
export function toText(found: Findings, top: number, width?: number): string {
  const worth = worthALook(found, top)
  const shown = worth.slice(0, MOST_LINES)
  const withFiles = shown.some(({ file }) => file !== undefined)
  const columns = saidColumns(found)
  const names = (found.values?.names.length ?? 0) <= MOST_COLUMNS ? (found.values?.names ?? []) : []
  const header = [rowHeader, ...(withFiles ? ['file'] : []), ...columns.map(({ name }) => name), ...names]
  const rows = shown.map((suspect) => [
    String(suspect.row),
    ...(withFiles ? [suspect.file ?? ''] : []),
    ...columns.map(({ text }) => text(suspect)),
    ...(names.length === 0 ? [] : found.values!.of(suspect)),
  ])
  const head = `${found.name}: ${summaryOf(found)} (${found.how})`
  const list = rows.length === 0 ? '' : grid(header, rows, { first: 'right', width })
  return `${printable(head)}\n${list}${more(worth.length - shown.length)}${unreadableText(found)}`
}

function more(count: number): string {
  return count > 0 ? `and ${count} more: --report, --rows and --json have them\n` : ''
}

function unreadableText({ unreadable }: Findings): string {
  if (unreadable.length === 0) return ''
  const shown = unreadable
    .slice(0, MOST_LINES)
    .map(({ file, reason }) => `  ${printable(`${file}: ${reason}`)}\n`)
  const which = unreadable.length === 1 ? '1 image' : `${unreadable.length} images`
  return `${which} could not be read:\n${shown.join('')}${more(unreadable.length - shown.length)}`
}

/** What is said of a suspect, for people. */
export interface SaidColumn {
  readonly name: string
  text(suspect: Suspect): string
}

/** Of labels and of numbers. */
export function saidColumns(found: Findings): readonly SaidColumn[] {
  const right: SaidColumn = { name: 'P(right)', text: ({ clean }) => clean.toFixed(3) }
  if (!isOfLabels(found)) {
    return [
      { name: 'value', text: ({ label }) => asWritten(Number(label)) },
      { name: 'predicted', text: ({ suggested }) => brief(Number(suggested)) },
      right,
    ]
  }
  return [
    { name: 'label', text: ({ label }) => String(label) },
    { name: 'suggested', text: ({ suggested }) => String(suggested) },
    { name: 'P(suggested)', text: ({ probability }) => probability!.toFixed(3) },
    { name: 'P(label)', text: ({ loss }) => Math.exp(-loss).toFixed(3) },
    right,
  ]
}
