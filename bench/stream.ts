/** Rows per second of a stream of 60 features: against scikit-learn's partial_fit, and RLVI against plain SGD. */
import { matrix, type StreamBatch, type StreamOptions, stream } from 'rlvi'
import { say } from './measure.js'
import { seeded } from './random.js'
import { runPython, withFile } from './yardstick.js'

interface Speeds {
  /** Rows per second of partial_fit alone, and with predict_proba before it, in batches and row by row. */
  readonly batch: number
  readonly batch_predicted: number
  readonly single: number
  readonly single_predicted: number
}

const ROWS = 100_000
const SINGLE = 4000
const FEATURES = 60
const BATCH = 100

/** Two classes of normal features, 15 % of the labels wrong. */
function sample(): { readonly x: Float64Array; readonly y: Float64Array } {
  const random = seeded(1)
  const rule = Float64Array.from({ length: FEATURES }, () => random.normal())
  const x = new Float64Array(ROWS * FEATURES)
  const y = new Float64Array(ROWS)
  for (let i = 0; i < ROWS; i++) {
    let score = 0
    for (let j = 0; j < FEATURES; j++) {
      x[i * FEATURES + j] = random.normal()
      score += rule[j] * x[i * FEATURES + j]
    }
    y[i] = score > 0 === random.uniform() < 0.85 ? 1 : 0
  }
  return { x, y }
}

const { x, y } = sample()

function batches(size: number, rows: number): StreamBatch[] {
  return Array.from({ length: rows / size }, (_, k) => ({
    x: matrix(size, FEATURES, x.subarray(k * size * FEATURES, (k + 1) * size * FEATURES)),
    y: y.subarray(k * size, (k + 1) * size),
  }))
}

/** Seconds of one pass over the batches. */
function pass(options: Partial<StreamOptions>, list: readonly StreamBatch[]): number {
  let state = stream.init({ model: 'logistic', features: FEATURES, ...options })
  const start = performance.now()
  for (const batch of list) state = stream.update(state, batch).state
  return (performance.now() - start) / 1000
}

/** The best of several passes of each, in turns, so that a busy moment of the machine hits all alike. */
function speeds(
  variants: Record<string, Partial<StreamOptions>>,
  size: number,
  rows: number,
): Map<string, number> {
  const list = batches(size, rows)
  const best = new Map<string, number>()
  for (let k = 0; k < 7; k++) {
    for (const [name, options] of Object.entries(variants)) {
      best.set(name, Math.max(best.get(name) ?? 0, rows / pass(options, list)))
    }
  }
  return best
}

const thousand = (speed: number): string => `${Math.round(speed / 1000)} thousand rows/s`
const goal = (met: boolean, wanted: string): string => `  (wanted: ${wanted}; ${met ? 'met' : 'NOT met'})`

const released = { schedule: 'optimal', scaling: 'none' } as const
const variants: Record<string, Partial<StreamOptions>> = {
  'SGD, scikit-learn’s schedule, no scaling': { method: 'sgd', ...released },
  'RLVI paper, the same': { method: 'paper', ...released },
  'RLVI calibrated, the same': { method: 'calibrated', ...released },
  'SGD, defaults': { method: 'sgd' },
  'RLVI paper, defaults': { method: 'paper' },
  'RLVI calibrated, defaults': { method: 'calibrated' },
}

say(`streams of ${FEATURES} features, logistic; every update predicts its rows before it learns from them`)
const theirs = withFile([y, x], (path) =>
  runPython<Speeds>('stream.py', ['numpy', 'sklearn'], [path, ROWS, FEATURES, BATCH, SINGLE].map(String)),
)
const yardstick = theirs?.kind === 'done' ? theirs.result : undefined
for (const [size, rows, name] of [
  [BATCH, ROWS, 'batches of 100'],
  [1, SINGLE, 'one row at a time'],
] as const) {
  say(name)
  const ours = speeds(variants, size, rows)
  const their = size === 1 ? yardstick?.single : yardstick?.batch
  const both = size === 1 ? yardstick?.single_predicted : yardstick?.batch_predicted
  if (their !== undefined && both !== undefined) {
    say(`  scikit-learn: partial_fit ${thousand(their)}, after predict_proba ${thousand(both)}`)
  }
  for (const [variant, speed] of ours) {
    if (their === undefined || both === undefined) say(`  ${variant}: ${thousand(speed)}`)
    else {
      const ratio = speed / their
      const note = goal(ratio >= 3, 'at least 3')
      say(
        `  ${variant}: ${thousand(speed)}: ${ratio.toFixed(1)} times partial_fit${note}, ${(speed / both).toFixed(1)} times both`,
      )
    }
  }
  const names = Object.keys(variants)
  for (const [plain, robust] of [
    [0, 1],
    [0, 2],
    [3, 4],
    [3, 5],
  ]) {
    const overhead = ours.get(names[plain])! / ours.get(names[robust])!
    say(
      `  ${names[robust]} against ${names[plain]}: ${overhead.toFixed(2)} times the time${goal(overhead <= 1.15, 'at most 1.15')}`,
    )
  }
}
