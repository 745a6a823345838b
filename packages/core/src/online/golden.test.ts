import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { matrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { init } from './init.js'
import type { OnlineOptions } from './options.js'
import { predict } from './predict.js'
import type { OnlineState } from './state.js'
import { update } from './update.js'

/**
 * The paper's online experiment on a synthetic stream, run with scikit-learn's SGDClassifier and the authors' weights:
 * chunks of 100 clean rows to test and 100 rows to learn, standardised by the latter, with some of their labels set to 0.
 */
interface Run {
  readonly corruption_seed_index: number
  readonly per_batch: Record<string, { acc: number[]; recall: number[]; tnr: number[] }>
  readonly snapshots: Record<string, Record<string, { coef: number[]; intercept: number }>>
  readonly sample_weights_at_batch: Record<string, Record<string, number[]>>
}
interface Bands {
  readonly acc_band99: [number, number]
  readonly recall_band99: [number, number]
}
const read = (name: string): Buffer =>
  brotliDecompressSync(readFileSync(new URL(`../../golden/${name}`, import.meta.url)))
const golden: {
  exact_runs: Run[]
  flipped_rows: number[][][]
  summary_batches_11_to_100: Record<string, Bands>
} = JSON.parse(read('online.json.br').toString())

const ROWS = 20_000
const FEATURES = 20
const HALF = 100
const { x, y } = goldenStream()

/** One byte for each label; then thousandths, column by column, first all high bytes and then all low ones. */
function goldenStream(): { x: Float64Array; y: Float64Array } {
  const bytes = read('online-stream.br')
  const count = ROWS * FEATURES
  const values = new Float64Array(count)
  for (let j = 0; j < FEATURES; j++) {
    for (let i = 0; i < ROWS; i++) {
      const at = ROWS + j * ROWS + i
      values[i * FEATURES + j] = (bytes.readInt8(at) * 256 + bytes[at + count]) / 1000
    }
  }
  return { x: values, y: Float64Array.from(bytes.subarray(0, ROWS)) }
}

const rowsAt = (first: number) =>
  matrix(HALF, FEATURES, x.subarray(first * FEATURES, (first + HALF) * FEATURES))

const methods: Record<string, Partial<OnlineOptions>> = {
  SGD_w1: { method: 'sgd', weights: 'sum' },
  'SGD_w1/b': { method: 'sgd' },
  RRM_blind: { method: 'rrm', asReleased: true },
  RRM_ce: { method: 'rrm' },
  RLVI_blind: { method: 'paper', asReleased: true },
  RLVI_ce: { method: 'paper' },
  RLVI_ce_x_b: { method: 'paper', weights: 'sum' },
}
const common = { model: 'logistic', features: FEATURES, schedule: 'optimal', scaling: 'batch' } as const

const cases = golden.exact_runs.flatMap((run, k) =>
  Object.keys(methods).map((name) => [name, k, run] as const),
)

describe.each(cases)('golden stream, %s, corruption %s', (name, k, run) => {
  const states: OnlineState[] = [init({ ...common, ...methods[name] })]
  const weights: Float64Array[] = []
  const scores = { acc: [] as number[], recall: [] as number[], tnr: [] as number[] }
  for (let batch = 0; batch < 100; batch++) {
    const first = batch * 2 * HALF
    const learned = y.slice(first + HALF, first + 2 * HALF)
    for (const row of golden.flipped_rows[k][batch]) learned[row - first - HALF] = 0
    const { state, result } = update(states[batch], { x: rowsAt(first + HALF), y: learned })
    states.push(state)
    weights.push(result.weights)
    const right = [0, 0]
    const all = [0, 0]
    predict(state, rowsAt(first)).predictions.forEach((label, i) => {
      all[y[first + i]]++
      if (label === y[first + i]) right[label]++
    })
    scores.acc.push((right[0] + right[1]) / HALF)
    scores.recall.push(right[1] / all[1])
    scores.tnr.push(right[0] / all[0])
  }

  // With steps as large as 10, rounding in the last digit of e^x grows to all digits within some thirty batches.
  const exact = methods[name].weights === 'sum' ? 20 : 100

  it('accuracy, recall and true negative rate of every batch', () => {
    for (const key of ['acc', 'recall', 'tnr'] as const) {
      const expected = run.per_batch[name][key]
      expectClose(scores[key].slice(0, exact), expected.slice(0, exact), 1e-12, 1e-12)
    }
  })

  it('mean accuracy and recall of batches 11 to 100 in the 99 % band', () => {
    const { acc_band99, recall_band99 } = golden.summary_batches_11_to_100[name]
    for (const [got, [low, high]] of [
      [scores.acc, acc_band99],
      [scores.recall, recall_band99],
    ] as const) {
      const mean = got.slice(10).reduce((sum, v) => sum + v, 0) / 90
      expect(mean).toBeGreaterThan(low)
      expect(mean).toBeLessThan(high)
    }
  })

  const snapshots = Object.entries(run.snapshots[name]).filter(
    ([batch]) => Number(batch) <= Math.max(10, exact),
  )
  it.each(snapshots)('coefficients after batch %s', (batch, { coef, intercept }) => {
    const expected = [...coef, intercept].flat()
    const largest = Math.max(...expected.map(Math.abs))
    expectClose([...states[Number(batch)].learner.params], expected, 1e-6, 1e-8 * largest)
  })

  it.each(Object.entries(run.sample_weights_at_batch[name]))('weights of batch %s', (batch, expected) => {
    expectClose(weights[Number(batch) - 1], expected, 1e-6, 1e-9)
  })

  it('leaves every earlier state as it was', () =>
    expect(states[0].learner.params.every((p) => p === 0)).toBe(true))
})
