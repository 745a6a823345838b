import type { OutColumn, OutTable } from '@rlvi/tables'
import type { Findings, Suspect } from './suspects.js'

/** Every sample, the most suspicious first. */
export function rowsTable({ suspects }: Findings): OutTable {
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
