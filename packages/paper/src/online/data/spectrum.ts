import { RATE } from './recording.js'

/** Frequencies of the spectrum: a window padded with zeros to this length. */
const PADDED = 128
const BINS = PADDED / 2
const PEAKS = 6
/** Hz. */
const BANDS: readonly (readonly [number, number])[] = [
  [0.5, 1.5],
  [1.5, 3],
  [3, 5],
]

export interface SpectrumFeatures {
  /** Of the highest peaks, in Hz, from low to high; 0 where there are fewer. */
  readonly positions: readonly number[]
  /** Their powers. */
  readonly values: readonly number[]
  /** Power in each band. */
  readonly bands: readonly number[]
}

const cosines = Float64Array.from({ length: PADDED }, (_, k) => Math.cos((2 * Math.PI * k) / PADDED))

/** Peaks and bands of the power spectrum of a window. */
export function spectrumFeatures(window: Float64Array): SpectrumFeatures {
  const power = new Float64Array(BINS + 1)
  for (let f = 0; f <= BINS; f++) {
    let re = 0
    let im = 0
    for (let t = 0; t < window.length; t++) {
      const value = window[t] ?? 0
      re += value * (cosines[(f * t) % PADDED] ?? 0)
      im += value * (cosines[(f * t + PADDED / 4) % PADDED] ?? 0)
    }
    power[f] = (re * re + im * im) / window.length
  }
  const peaks: number[] = []
  for (let f = 1; f < BINS; f++) {
    const here = power[f] ?? 0
    if (here > (power[f - 1] ?? 0) && here >= (power[f + 1] ?? 0)) peaks.push(f)
  }
  const highest = peaks
    .sort((a, b) => (power[b] ?? 0) - (power[a] ?? 0))
    .slice(0, PEAKS)
    .sort((a, b) => a - b)
  const filled = [...highest, ...new Array<number>(PEAKS - highest.length).fill(0)]
  const hertz = RATE / PADDED
  return {
    positions: filled.map((f) => f * hertz),
    values: filled.map((f) => (f === 0 ? 0 : (power[f] ?? 0))),
    bands: BANDS.map(([low, high]) =>
      power.reduce((sum, value, f) => (f * hertz >= low && f * hertz < high ? sum + value : sum), 0),
    ),
  }
}
