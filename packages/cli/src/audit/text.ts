import { brief, grid, rowHeader } from '../terminal/layout.js'
import { printable } from '../terminal/printable.js'
import { type Findings, isOfLabels, type Suspect, summaryOf } from './suspects.js'

/** On a terminal nobody reads a hundred lines; files, JSON and the report have all that was asked for. */
const MOST_LINES = 20

/** What a person reads at the end of an audit. */
export function toText(found: Findings, top: number, width?: number): string {
  const { suspects } = found
  const shown = suspects.slice(0, Math.min(top, MOST_LINES))
  const withFiles = shown.some(({ file }) => file !== undefined)
  const columns = saidColumns(found)
  const header = [rowHeader, ...(withFiles ? ['file'] : []), ...columns.map(({ name }) => name)]
  const rows = shown.map((suspect) => [
    String(suspect.row),
    ...(withFiles ? [suspect.file ?? ''] : []),
    ...columns.map(({ text }) => text(suspect)),
  ])
  const head = `${found.name}: ${summaryOf(found)} (${found.how})`
  return `${printable(head)}\n${grid(header, rows, { first: 'right', width })}`
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
      { name: 'value', text: ({ label }) => brief(Number(label)) },
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
