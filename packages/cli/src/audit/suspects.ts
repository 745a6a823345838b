import type { OutColumn, OutTable } from '@rlvi/tables'
import { grid } from '../terminal/layout.js'
import { printable, printableJson } from '../terminal/printable.js'

/** A sample whose label may be wrong. */
export interface Suspect {
  /** Its number in the data, from 0. */
  readonly row: number
  readonly file?: string
  readonly label: string
  /** The label that it looks like, and how probable that is. */
  readonly suggested: string
  readonly probability: number
  /** P(the label is right). */
  readonly clean: number
  readonly loss: number
}

/** What an audit found: all samples, the most suspicious first. */
export interface Findings {
  readonly name: string
  /** How it was found, in a few words. */
  readonly how: string
  readonly suspects: readonly Suspect[]
  /** Labels that are more probably wrong than right. */
  readonly flagged: number
  /** The estimated share of wrong labels. */
  readonly level: number | undefined
  readonly seconds: number
}

/** On a terminal nobody reads a hundred lines; files, JSON and the report have all that was asked for. */
const MOST_LINES = 20

export function findingsText(found: Findings, top: number): string {
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

/** How many labels look like another one, how many are wrong rather than right, and how many are estimated to be. */
export function summaryOf(found: Findings): string {
  const { suspects, flagged, level } = found
  const share = level === undefined ? '' : `, an estimated ${shareText(level)} are wrong`
  return `${contradicted(found)} of ${suspects.length} labels look like another; ${flagged} are more probably wrong than right${share}`
}

function contradicted({ suspects }: Findings): number {
  return suspects.filter(({ label, suggested }) => label !== suggested).length
}

function shareText(share: number): string {
  const percent = 100 * share
  return `${percent === 0 || percent >= 99.5 ? percent.toFixed(0) : percent.toPrecision(2)} %`
}

export function findingsJson(found: Findings, top: number): string {
  const { name, flagged, level, suspects, seconds } = found
  return printableJson({
    data: name,
    samples: suspects.length,
    contradicted: contradicted(found),
    flagged,
    level: level ?? null,
    seconds: Number(seconds.toFixed(2)),
    suspects: suspects.slice(0, top),
  })
}

/** Every sample, the most suspicious first. */
export function findingsTable({ suspects }: Findings): OutTable {
  const column = (
    name: string,
    kind: OutColumn['kind'],
    value: (suspect: Suspect) => string | number,
  ): OutColumn => ({
    name,
    kind,
    at: (row) => value(suspects[row]!),
  })
  const columns = [
    column('row', 'integer', ({ row }) => row),
    ...(suspects.some(({ file }) => file !== undefined)
      ? [column('file', 'text', ({ file }) => file ?? '')]
      : []),
    column('label', 'text', ({ label }) => label),
    column('suggested', 'text', ({ suggested }) => suggested),
    column('probability', 'number', ({ probability }) => probability),
    column('clean', 'number', ({ clean }) => clean),
    column('loss', 'number', ({ loss }) => loss),
  ]
  return { rows: suspects.length, columns }
}
