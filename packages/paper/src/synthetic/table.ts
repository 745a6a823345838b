import { aligned, short } from '../shared/text-table.js'
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

/** The results as text: a block for every problem and level, columns aligned. */
export function textTable(all: readonly MethodRuns[]): string {
  const blocks = bySetting(all)
  const lines: string[] = []
  for (const [heading, block] of blocks) {
    lines.push(heading, ...aligned([tableHead, ...block.map(tableRow)], 2), '')
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
