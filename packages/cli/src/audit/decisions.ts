import type { OutColumn, OutTable } from '@rlvi/tables'
import { type Findings, type Suspect, type Unreadable, worthALook } from './suspects.js'

/** The suggested label is proposed only where it is this probable; all other suspects are to be looked at. */
const SURE = 0.9

/** Suspects and files that cannot be read, with what to do about each: a list to be edited, and worked through. */
export function decisionsTable(found: Findings, top: number): OutTable {
  const suspects = worthALook(found, top)
  const lines = [...suspects.map(suspectLine), ...found.unreadable.map(unreadableLine)]
  const column = (name: string, kind: OutColumn['kind'], k: number): OutColumn => ({
    name,
    kind,
    at: (row) => lines[row]![k] ?? null,
  })
  const columns = [
    column('decision', 'text', 0),
    column('row', 'integer', 1),
    column('file', 'text', 2),
    column('label', 'text', 3),
    column('suggested', 'text', 4),
    column('probability', 'number', 5),
    column('clean', 'number', 6),
  ]
  return { rows: lines.length, columns: columns.filter(({ name }) => name !== 'file' || hasFiles(found)) }
}

type Line = ReadonlyArray<string | number | null>

function suspectLine({ row, file, label, suggested, probability, clean }: Suspect): Line {
  const sure = label !== suggested && clean < 0.5 && probability !== undefined && probability >= SURE
  const decision = sure ? 'relabel' : 'look'
  return [decision, row, file ?? null, String(label), String(suggested), probability ?? null, clean]
}

function unreadableLine({ file, label }: Unreadable): Line {
  return ['repair', null, file, label, null, null, null]
}

function hasFiles({ suspects, unreadable }: Findings): boolean {
  return unreadable.length > 0 || suspects.some(({ file }) => file !== undefined)
}
