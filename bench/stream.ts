/** Rows per second of a stream of 60 features: against scikit-learn's partial_fit, and RLVI against plain SGD. */
import { matrix, type OnlineBatch, type OnlineOptions, online } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from './measure.js'
import { runPython, withFile } from './yardstick.js'

/** Rows per second of scikit-learn. */
interface Speeds {
  /** Of partial_fit alone. */
  readonly learn: number
  /** With scaler and predict_proba. */
  readonly all: number
}

const ROWS = 100_000
const SINGLE = 4000
const FEATURES = 60
const BATCH = 100

/** Two classes of normal features, 15 % of the labels wrong. */
function sample(): { readonly x: Float64Array; readonly y: Float64Array } {
  const random = draws('stream', 1)
  const rule = Float64Array.from({ length: FEATURES }, () => random.normal())
  const x = new Float64Array(ROWS * FEATURES)
  const y = new Float64Array(ROWS)
  for (let i = 0; i < ROWS; i++) {
    let score = 0
    for (let j = 0; j < FEATURES; j++) {
      x[i * FEATURES + j] = random.normal()
      score += rule[j] * x[i * FEATURES + j]
    }
    y[i] = score > 0 === random.uniform(0, 1) < 0.85 ? 1 : 0
  }
  return { x, y }
}

const { x, y } = sample()

function batches(size: number, rows: number): OnlineBatch[] {
  return Array.from({ length: rows / size }, (_, k) => ({
    x: matrix(size, FEATURES, x.subarray(k * size * FEATURES, (k + 1) * size * FEATURES)),
    y: y.subarray(k * size, (k + 1) * size),
  }))
}

/** Seconds of the processor's time that one pass takes: other work on the machine does not count. */
function pass(options: Partial<OnlineOptions>, list: readonly OnlineBatch[]): number {
  let state = online.init({ model: 'logistic', features: FEATURES, ...options })
  const start = process.cpuUsage()
  for (const batch of list) state = online.update(state, batch).state
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

/** The best of several passes of each, in turns, so that a busy moment of the machine hits all alike. */
function speeds(
  variants: Record<string, Partial<OnlineOptions>>,
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

const thousand = (speed: number): string =>
  `${speed < 1e5 ? (speed / 1000).toPrecision(3) : Math.round(speed / 1000)} thousand rows/s`
const goal = (met: boolean, wanted: string): string => `  (wanted: ${wanted}; ${met ? 'met' : 'NOT met'})`

const same = { schedule: 'optimal', scaling: 'none', drift: false } as const
/** Like scikit-learn's classifier, and as a newcomer has it: with running scales, adaptive rates, and drift watched. */
const groups: Record<string, Record<string, Partial<OnlineOptions>>> = {
  "scikit-learn's schedule, no scaling": {
    SGD: { method: 'sgd', ...same },
    'RLVI paper': { method: 'paper', ...same },
    'RLVI calibrated': { method: 'calibrated', ...same },
  },
  'defaults: running scales, adaptive rates': {
    SGD: { method: 'sgd' },
    'RLVI paper': { method: 'paper' },
    'RLVI calibrated': { method: 'calibrated' },
  },
}

say(`streams of ${FEATURES} features, logistic; every update predicts its rows before it learns from them`)
const theirs = withFile([y, x], (path) =>
  runPython<{ batch: Speeds; single: Speeds }>(
    'stream.py',
    ['numpy', 'sklearn'],
    [path, ROWS, FEATURES, BATCH, SINGLE].map(String),
  ),
)
const yardstick = theirs?.kind === 'done' ? theirs.result : undefined

function compareGroup(name: string, size: number, rows: number, their: Speeds | undefined): void {
  const ours = speeds(groups[name], size, rows)
  say(` ${name}`)
  for (const [variant, speed] of ours) {
    const line = `  ${variant}: ${thousand(speed)}`
    if (their === undefined) say(line)
    else {
      const ratio = speed / their.learn
      say(
        `${line}, ${ratio.toFixed(1)} times partial_fit${goal(ratio >= 3, 'at least 3')}, ` +
          `${(speed / their.all).toFixed(1)} times all of it`,
      )
    }
  }
  for (const robust of ['RLVI paper', 'RLVI calibrated']) {
    const overhead = ours.get('SGD')! / ours.get(robust)!
    say(
      `  ${robust} against SGD: ${overhead.toFixed(2)} times the time${goal(overhead <= 1.15, 'at most 1.15')}`,
    )
  }
}

for (const [title, size, rows, their] of [
  [`batches of ${BATCH}`, BATCH, ROWS, yardstick?.batch],
  ['one row at a time', 1, SINGLE, yardstick?.single],
] as const) {
  say(title)
  if (their !== undefined) {
    say(
      ` scikit-learn: partial_fit ${thousand(their.learn)}, with scaler and predict_proba ${thousand(their.all)}`,
    )
  }
  for (const name of Object.keys(groups)) compareGroup(name, size, rows, their)
}
