import type { Draws } from 'rlvi/random'

export type NoiseName = 'none' | 'waves'

const WAVES = 3
const MOST = 0.4

/** The chance that a label of batch b of `batches` is wrong: nothing, or three waves between 0 and .4. */
export function noiseShare(noise: NoiseName, b: number, batches: number): number {
  if (noise === 'none') return 0
  return (MOST / 2) * (1 - Math.cos((2 * Math.PI * WAVES * b) / batches))
}

/** The labels with each replaced, with probability `share`, by one of the others. */
export function withWrongLabels(
  labels: Float64Array,
  classes: number,
  share: number,
  stream: Draws,
): Float64Array {
  return labels.map((label) => {
    if (stream.uniform(0, 1) >= share) return label
    return (label + 1 + Math.floor(stream.uniform(0, classes - 1))) % classes
  })
}
