import type { OutColumn, OutTable } from '@rlvi/tables'
import { type Findings, isOfLabels, type Suspect } from './suspects.js'

/** Every sample, the most suspicious first. */
export function rowsTable({ suspects }: Findings): OutTable {
  const ofLabels = isOfLabels({ suspects })
  const kind = ofLabels ? 'text' : 'number'
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
    column('label', kind, ({ label }) => label),
    column('suggested', kind, ({ suggested }) => suggested),
    ...(ofLabels ? [column('probability', 'number', ({ probability }) => probability!)] : []),
    column('clean', 'number', ({ clean }) => clean),
    column('loss', 'number', ({ loss }) => loss),
  ]
  return { rows: suspects.length, columns }
}
