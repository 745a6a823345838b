import { grid } from '../terminal/layout.js'
import { printable } from '../terminal/printable.js'
import { type Findings, summaryOf } from './suspects.js'

/** On a terminal nobody reads a hundred lines; files, JSON and the report have all that was asked for. */
const MOST_LINES = 20

/** What a person reads at the end of an audit. */
export function toText(found: Findings, top: number): string {
  const { suspects } = found
  const shown = suspects.slice(0, Math.min(top, MOST_LINES))
  const withFiles = shown.some(({ file }) => file !== undefined)
  const header = [
    'row',
    ...(withFiles ? ['file'] : []),
    'label',
    'looks like',
    'P(looks like)',
    'P(label)',
    'P(right)',
  ]
  const rows = shown.map((suspect) => [
    String(suspect.row),
    ...(withFiles ? [suspect.file ?? ''] : []),
    suspect.label,
    suspect.suggested,
    suspect.probability.toFixed(3),
    Math.exp(-suspect.loss).toFixed(3),
    suspect.clean.toFixed(3),
  ])
  const head = `${found.name}: ${summaryOf(found)} (${found.how})`
  return `${printable(head)}\n${grid(header, rows, 'right')}`
}
