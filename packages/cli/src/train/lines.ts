import type { OutColumn, OutTable } from '@rlvi/tables'
import type { EpochLine } from '@rlvi/vision'

interface Field {
  readonly name: string
  readonly title: string
  readonly at: (line: EpochLine) => number | undefined
  readonly shown: (value: number) => string
}

const percent = (value: number): string => (100 * value).toFixed(2)

const fields: readonly Field[] = [
  { name: 'epoch', title: 'epoch', at: (line) => line.epoch, shown: String },
  { name: 'train', title: 'train %', at: (line) => line.train, shown: percent },
  { name: 'validation', title: 'validation %', at: (line) => line.validation, shown: percent },
  { name: 'test', title: 'test %', at: (line) => line.test, shown: percent },
  { name: 'threshold', title: 'threshold', at: (line) => line.threshold, shown: (v) => v.toFixed(3) },
  { name: 'clean_kept', title: 'clean kept %', at: (line) => line.cleanKept, shown: percent },
  { name: 'corrupt_caught', title: 'corrupt caught %', at: (line) => line.corruptCaught, shown: percent },
  { name: 'level', title: 'level %', at: (line) => line.level, shown: percent },
  { name: 'seconds', title: 'seconds', at: (line) => line.seconds, shown: (v) => v.toFixed(1) },
]

/** Epochs as lines of a table that grows: only the columns that the first line has. */
export function lineWriter(): (line: EpochLine) => string {
  let columns: readonly Field[] | undefined
  return (line) => {
    const head = columns === undefined
    columns ??= fields.filter(({ at }) => at(line) !== undefined)
    const cells = columns.map(({ title, at, shown }) => {
      const value = at(line)
      return (value === undefined ? '' : shown(value)).padStart(title.length)
    })
    const row = `${cells.join('  ')}\n`
    return head ? `${columns.map(({ title }) => title).join('  ')}\n${row}` : row
  }
}

/** The log: a row for each epoch, shares between 0 and 1, empty where there is no value. */
export function logTable(lines: readonly EpochLine[]): OutTable {
  const columns = fields.map(
    ({ name, at }): OutColumn => ({
      name,
      kind: name === 'epoch' ? 'integer' : 'number',
      at: (row) => at(lines[row]!) ?? null,
    }),
  )
  return { rows: lines.length, columns }
}
