import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { say } from '../measure.js'

/** What all programs of this folder share: their options, their tables, and the line that says what holds. */

export interface RunOptions {
  readonly runs: number
  readonly seed: number
  /** The named parts alone; empty for all. */
  readonly only: readonly string[]
}

/** `--runs N --seed N --only PART,PART`. */
export function runOptions(runs: number): RunOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { runs: text, seed: text, only: text } })
  return {
    runs: wholeNumber('--runs', values.runs ?? String(runs), 1),
    seed: wholeNumber('--seed', values.seed ?? '0', 0),
    only: values.only?.split(',') ?? [],
  }
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  process.stderr.write(
    `${name}: a whole number of at least ${least} is needed, got ${JSON.stringify(text)}\n`,
  )
  process.exit(2)
}

/** Whether the module is the program that was started, and not a part of a thread or of a test. */
export function isProgram(url: string): boolean {
  return isMainThread && url === pathToFileURL(process.argv[1] ?? '').href
}

/** Columns aligned: the first to the left, the others to the right. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): void {
  const all = [head, ...rows]
  const widths = head.map((_, j) => Math.max(...all.map((row) => (row[j] ?? '').length)))
  for (const row of all) {
    const cells = row.map((cell, j) => (j === 0 ? cell.padEnd(widths[j]) : cell.padStart(widths[j])))
    say(`  ${cells.join('  ')}`.trimEnd())
  }
}

export interface Criterion {
  readonly name: string
  readonly holds: boolean
  /** Where it fails, or by how much it holds. */
  readonly detail?: string
}

/** The last line of a program: what was wanted, and whether it holds. */
export function verdict(criteria: readonly Criterion[]): void {
  say()
  for (const { name, holds, detail } of criteria) {
    say(`${holds ? 'holds' : 'FAILS'}: ${name}${detail === undefined ? '' : ` (${detail})`}`)
  }
  const held = criteria.filter(({ holds }) => holds).length
  say(`${held} of ${criteria.length} criteria hold`)
}
