/**
 * Where the confirmed errors of a well-known test set stand in what `rlvi audit SET --split test --rows FILE` wrote: as it ranks the
 * labels, and by the label's own probability (the confidence of the same networks); or in what `rlvi predict NETWORK.onnx SET --rows FILE`
 * wrote, by the confidence of that one network.
 *
 *   node bench/dist/quality/test-set-errors.js mnist|cifar10 FILE.csv …
 */
import { readFileSync } from 'node:fs'
import { say } from '../measure.js'
import { columnsOf, fromRoot } from './csv.js'
import { isProgram, table } from './program.js'

/** How many labels somebody would look at. */
const FIRST = 100

/** Wrong labels, by their place in the test set, from 0. */
export function confirmedErrors(set: string): ReadonlyMap<number, number> {
  const text = readFileSync(fromRoot('bench/quality/data/test-set-errors.json'), 'utf8')
  const { source: _, ...sets } = JSON.parse(text) as Record<string, Readonly<Record<string, number>>>
  if (sets[set] === undefined)
    throw new Error(`test-set-errors: known are ${Object.keys(sets).join(' and ')}, got ${set}`)
  return new Map(Object.entries(sets[set]).map(([place, label]) => [Number(place), label]))
}

/** The ranks of wrong labels, from 1, where rows, which count from 1, stand in the order of suspicion. */
export function ranksOf(errors: ReadonlyMap<number, number>, rows: readonly number[]): readonly number[] {
  const ranks = rows.flatMap((row, k) => (errors.has(row - 1) ? [k + 1] : []))
  if (ranks.length === errors.size) return ranks
  throw new Error(
    `test-set-errors: all test labels must be ranked, got ${ranks.length} of the ${errors.size} wrong ones`,
  )
}

function main([set = '', ...files]: readonly string[]): void {
  const errors = confirmedErrors(set)
  say(`${errors.size} labels of ${set}'s test set are wrong`)
  const found = (name: string, rows: readonly number[]): readonly string[] => {
    const ranks = ranksOf(errors, rows)
    return [name, String(ranks.filter((rank) => rank <= FIRST).length), ranks.join(' ')]
  }
  const lines = files.flatMap((file) => {
    const columns = columnsOf(readFileSync(file, 'utf8'))
    const rows = columns.get('row')!.map(Number)
    const losses = columns.get('loss')!.map(Number)
    const byLoss = rows.map((row, k) => ({ row, loss: losses[k] })).sort((a, b) => b.loss - a.loss)
    const confidence = byLoss.map(({ row }) => row)
    const byConfidence = found(`${file}, by the label's probability`, confidence)
    return columns.has('clean') ? [found(`${file}, as ranked`, rows), byConfidence] : [byConfidence]
  })
  table(['ranking', `in the first ${FIRST}`, 'at'], lines)
}

if (isProgram(import.meta.url)) main(process.argv.slice(2))
