/**
 * Where the confirmed errors of a well-known test set stand in what `rlvi audit SET --split test --rows FILE` wrote: as it ranks the
 * labels, and by the label's own probability (the confidence of the same networks); or in what `rlvi predict NETWORK.onnx SET --rows FILE`
 * wrote, by the confidence of that one network; or both, in what `bench/gpu/test-scores.ts` kept of a network.
 *
 *   node bench/dist/quality/test-set-errors.js mnist|cifar10 FILE.csv|FILE.safetensors …
 */
import { readFileSync } from 'node:fs'
import { readSafetensors } from '@rlvi/nn'
import { ensemble } from '@rlvi/vision'
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

/** A ranking by name: rows, which count from 1, the most suspicious first. */
type Ranking = readonly [name: string, rows: readonly number[]]

/** Of what a command wrote. */
function rankingsOf(file: string): readonly Ranking[] {
  const columns = columnsOf(readFileSync(file, 'utf8'))
  const rows = columns.get('row')!.map(Number)
  const losses = columns.get('loss')!.map(Number)
  const byLoss = rows.map((row, k) => ({ row, loss: losses[k] })).sort((a, b) => b.loss - a.loss)
  const byConfidence: Ranking = [`${file}, by the label's probability`, byLoss.map(({ row }) => row)]
  return columns.has('clean') ? [[`${file}, as ranked`, rows], byConfidence] : [byConfidence]
}

/** Of what a network says of all images: as they are, by its confidence, and as an audit asks and ranks. */
export function rankingsOfScores(file: string, bytes: Uint8Array): readonly Ranking[] {
  const { tensors, metadata } = readSafetensors(bytes, file)
  const labels = metadata.labels.split(' ').map(Number)
  const scoresOf = (kind: string): ReturnType<ReturnType<typeof ensemble>['scores']> => {
    const { shape, values } = tensors.get(kind)!
    const asked = ensemble(shape[0], shape[1])
    asked.add(
      Int32Array.from(labels, (_, i) => i),
      Float64Array.from(values as Float32Array),
    )
    return asked.scores(labels)
  }
  const rows = (order: Int32Array): number[] => Array.from(order, (i) => i + 1)
  const byLoss = ({ order, losses }: ReturnType<typeof scoresOf>): number[] =>
    rows(order.toSorted((a, b) => losses[b] - losses[a]))
  const [plain, views] = [scoresOf('plain'), scoresOf('views')]
  return [
    [`${file}, as an audit ranks`, rows(views.order)],
    [`${file}, as an audit asks, by the label's probability`, byLoss(views)],
    [`${file}, the plain network, by the label's probability`, byLoss(plain)],
  ]
}

function main([set = '', ...files]: readonly string[]): void {
  const errors = confirmedErrors(set)
  say(`${errors.size} labels of ${set}'s test set are wrong`)
  const lines = files
    .flatMap((file) =>
      file.endsWith('.safetensors') ? rankingsOfScores(file, readFileSync(file)) : rankingsOf(file),
    )
    .map(([name, rows]) => {
      const ranks = ranksOf(errors, rows)
      const among = (first: number): string => String(ranks.filter((rank) => rank <= first).length)
      return [name, among(FIRST), among(3 * FIRST), ranks.join(' ')]
    })
  table(['ranking', `in the first ${FIRST}`, `${3 * FIRST}`, 'at'], lines)
}

if (isProgram(import.meta.url)) main(process.argv.slice(2))
