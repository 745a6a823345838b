import { short } from '../standard/table.js'
import { isPublished, readingsHead, readingsRows, readingsTitle } from './readings.js'
import type { OnlineRecord } from './records.js'
import type { SizeRuns } from './runs.js'

const columns = ['accuracy', 'recall', 'tnr', 'f1', 'levelError', 'levelErrorOfPositives'] as const

export const onlineTableHead: readonly string[] = [
  'method',
  'variant',
  'accuracy',
  '± sem',
  'recall',
  '± sem',
  'tnr',
  'f1',
  '|level error|',
  'of positives',
]

/** A row for each method at one batch size: means over the runs, standard errors for the first two. */
export function onlineTableRows(records: readonly OnlineRecord[], batch: number): string[][] {
  const here = records.filter((record) => record.batch === batch)
  const names = new Map(here.map((record) => [`${record.method}/${record.variant}`, record]))
  return [...names.values()].map(({ method, variant }) => {
    const [accuracy, recall, tnr, f1, error, ofPositives] = columns.map((metric) =>
      here.find((r) => r.method === method && r.variant === variant && r.metric === metric),
    )
    const mean = (record: OnlineRecord | undefined): string =>
      record === undefined ? '' : fixed(record.mean)
    const sem = (record: OnlineRecord | undefined): string => (record === undefined ? '' : short(record.sem))
    return [
      method,
      variant,
      mean(accuracy),
      sem(accuracy),
      mean(recall),
      sem(recall),
      mean(tnr),
      mean(f1),
      mean(error),
      mean(ofPositives),
    ]
  })
}

/** Shares to four decimals. */
export function fixed(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(4)
}

/** A table for each batch size, and the paper's readings beside the batches that it had. */
export function onlineText(records: readonly OnlineRecord[], runs: number, all: readonly SizeRuns[]): string {
  const batches = [...new Set(records.map(({ batch }) => batch))]
  const blocks = batches.map((batch) => {
    const heading = `${records[0]?.data}, batches of ${batch}, ${runs} runs (means over all batches)`
    return [heading, ...aligned([onlineTableHead, ...onlineTableRows(records, batch)], 2)].join('\n')
  })
  const published = all
    .filter(isPublished)
    .map((one) => [readingsTitle, ...aligned([readingsHead, ...readingsRows(one)], 0)].join('\n'))
  return `${[...blocks, ...published].join('\n\n')}\n`
}

/** Rows of cells as lines: the first columns to the left, numbers to the right. */
export function aligned(rows: ReadonlyArray<readonly string[]>, words: number): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column < words ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    return `  ${cells.join('  ')}`.trimEnd()
  })
}
