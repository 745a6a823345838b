import { smooth } from '../../shared/smooth.js'
import type { SizeRuns } from '../runs.js'

/** Half-width of the kernel of the paper's curves, in batches. */
export const HALF = 10

/** The accuracy that can be read off the published figure, in per cent, by thousands of training rows. One run. */
export const publishedReadings: readonly { samples: number; sgd: number; rlvi: number }[] = [
  [1500, 93.9, 96.5],
  [2000, 93.9, 97.5],
  [2500, 94.7, 98.7],
  [3000, 93.8, 98.7],
  [3500, 92.4, 98.2],
  [4000, 92.5, 98.4],
  [4500, 93.5, 98.7],
  [5000, 91.5, 98.3],
  [5500, 89.6, 98],
  [6000, 91.8, 98.5],
  [6500, 94.4, 99.2],
  [7000, 94.2, 99.3],
  [7500, 93.1, 98.9],
  [8000, 93.6, 99],
  [8500, 94.4, 99.3],
  [9000, 94, 99.2],
  [9500, 93.1, 99],
  [10000, 92.1, 98.7],
  [10500, 91.9, 98.2],
  [10800, 92.3, 98.2],
].map(([samples = 0, sgd = 0, rlvi = 0]) => ({ samples, sgd, rlvi }))

/** Whether the published figure can stand beside these runs: it has batches of 100, and is of the original data. */
export function isPublished({ size, standIn }: SizeRuns): boolean {
  return size.train === 100 && !standIn
}

export const readingsTitle =
  'accuracy in per cent, smoothed, [least, most] of the runs, beside the published figure (one run, the original data)'

export const readingsHead: readonly string[] = [
  'rows seen',
  'paper: SGD',
  'SGD, released',
  'paper: RLVI',
  'RLVI, released',
  'SGD, 1/b',
  'RLVI, true loss',
  'calibrated',
]

/** Accuracy in per cent, smoothed, where the published figure was read: mean over the runs, [least, most] of them. */
export function readingsRows({ samples, methods }: SizeRuns): string[][] {
  const curves = (method: string, variant: string): Float64Array[] => {
    const runs =
      methods.find((one) => one.method === method && one.variant === variant)?.metrics.accuracy ?? []
    return runs.map((values) => smooth(values, HALF).map((value) => 100 * value))
  }
  const sgd = curves('SGD', 'released')
  const released = curves('RLVI', 'released')
  const others = [curves('SGD', 'weight 1/b'), curves('RLVI', 'true loss'), curves('calibrated', 'default')]
  return publishedReadings.flatMap((reading) => {
    const b = samples.indexOf(reading.samples)
    if (b < 0) return []
    const at = (runs: readonly Float64Array[]): number[] => runs.map((run) => run[b] ?? Number.NaN)
    const mean = (runs: readonly Float64Array[]): string =>
      (at(runs).reduce((sum, value) => sum + value, 0) / runs.length).toFixed(1)
    const spread = (runs: readonly Float64Array[]): string =>
      `${mean(runs)} [${Math.min(...at(runs)).toFixed(1)}, ${Math.max(...at(runs)).toFixed(1)}]`
    return [
      [
        String(reading.samples),
        reading.sgd.toFixed(1),
        spread(sgd),
        reading.rlvi.toFixed(1),
        spread(released),
        ...others.map(mean),
      ],
    ]
  })
}
