import { type Matrix, sharedMatrix } from 'rlvi'
import { draws } from 'rlvi/random'
import { type ActivityData, featureNames } from './activity.js'
import { makeRecording, RATE, type Recording } from './recording.js'
import { spectrumFeatures } from './spectrum.js'

/** Samples in a window, and from one window to the next. */
export const WINDOW = 32
const HOP = 16
/** As many as `humanactivity.mat` has. */
const ROWS = 24075

/** The stand-in for the human-activity data: five activities of made-up people, windowed into the same 60 features. */
export function standInActivity(seed: number, rows: number = ROWS): ActivityData {
  const recording = makeRecording(draws(seed, 'recording'), (rows - 1) * HOP + WINDOW)
  return { name: 'stand-in (synthetic)', standIn: true, ...windows(recording) }
}

/** A row for each window: its features, and what the person did at its end. */
export function windows({ axes, activity }: Recording): { features: Matrix; activity: Float64Array } {
  const rows = Math.floor((activity.length - WINDOW) / HOP) + 1
  const features = sharedMatrix(rows, featureNames.length)
  const labels = new Float64Array(rows)
  const body = axes.map(withoutGravity)
  for (let i = 0; i < rows; i++) {
    const [from, to] = [i * HOP, i * HOP + WINDOW]
    labels[i] = activity[to - 1] ?? 0
    const moves = body.map((axis) => axis.subarray(from, to))
    const spectra = moves.map(spectrumFeatures)
    const row = [
      ...axes.map((axis) => mean(axis.subarray(from, to))),
      ...moves.map((move) => Math.sqrt(mean(move.map((value) => value * value)))),
      ...moves.flatMap(covarianceFeatures),
      ...spectra.flatMap(({ positions, values }) => [...positions, ...values]),
      ...spectra.flatMap(({ bands }) => bands),
    ]
    features.values.set(row, i * features.cols)
  }
  return { features, activity: labels }
}

/** What is left when the slow part is taken away: gravity changes over seconds, limbs faster. */
function withoutGravity(total: Float64Array): Float64Array {
  const out = new Float64Array(total.length)
  let slow = total[0] ?? 0
  for (let t = 0; t < total.length; t++) {
    const value = total[t] ?? 0
    slow += 0.15 * (value - slow)
    out[t] = value - slow
  }
  return out
}

/** Autocovariance at lag 0, and place (seconds) and height of its first peak after that; the last lag if none. */
export function covarianceFeatures(values: Float64Array): [number, number, number] {
  const half = values.length / 2
  const at: number[] = []
  for (let lag = 0; lag <= half; lag++) {
    let sum = 0
    for (let t = lag; t < values.length; t++) sum += (values[t] ?? 0) * (values[t - lag] ?? 0)
    at.push(sum)
  }
  let peak = half
  for (let lag = half - 1; lag > 0; lag--) {
    const here = at[lag] ?? 0
    if (here > (at[lag - 1] ?? 0) && here >= (at[lag + 1] ?? 0)) peak = lag
  }
  return [at[0] ?? 0, peak / RATE, at[peak] ?? 0]
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
