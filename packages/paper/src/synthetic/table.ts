import type { MethodRuns } from './records.js'

export const tableHead: readonly string[] = [
  'method',
  'variant',
  'mean',
  '± sem',
  'min',
  'q25',
  'median',
  'q75',
  'max',
  'runs',
  'failed',
]

/** One row for each computation, with all of its names. */
export function tableRow({ method, variants, summary }: MethodRuns): string[] {
  const { mean, sem, min, q25, median, q75, max, runs, failed } = summary
  const numbers = [mean, sem, min, q25, median, q75, max].map(short)
  return [method, variants.join(' = '), ...numbers, String(runs), failed === 0 ? '' : String(failed)]
}

/** Four significant digits, without an exponent where that is readable. */
export function short(value: number): string {
  if (Number.isNaN(value)) return '-'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size < 1e-4 || size >= 1e6) return value.toExponential(2)
  return value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(size))))
}

/** The results as text: a block for every problem and level, columns aligned. */
export function textTable(all: readonly MethodRuns[]): string {
  const blocks = bySetting(all)
  const lines: string[] = []
  for (const [heading, block] of blocks) {
    const rows = [tableHead, ...block.map(tableRow)]
    const widths = tableHead.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
    lines.push(heading)
    for (const row of rows) {
      const cells = row.map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      lines.push(`  ${cells.join('  ')}`.trimEnd())
    }
    lines.push('')
  }
  return lines.join('\n')
}

/** The computations of each problem and level, under a heading. */
export function bySetting(all: readonly MethodRuns[]): Map<string, MethodRuns[]> {
  const groups = new Map<string, MethodRuns[]>()
  for (const runs of all) {
    const heading = `${runs.problem} (n = ${runs.rows}, eps = ${Number(runs.epsilon.toFixed(4))})`
    groups.set(heading, [...(groups.get(heading) ?? []), runs])
  }
  return groups
}
