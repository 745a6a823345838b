import type { SizeRuns } from './runs.js'
import { smooth } from './smooth.js'

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
  'accuracy in per cent, smoothed, beside what can be read off the published figure (one run, the original data)'

export const readingsHead: readonly string[] = [
  'rows seen',
  'paper: SGD',
  'SGD, released',
  'SGD, 1/b',
  'paper: RLVI',
  'RLVI, released',
  'RLVI, true loss',
  'calibrated',
]

/** Accuracy in per cent, smoothed, mean over the runs, where the published figure was read. */
export function readingsRows({ samples, methods }: SizeRuns): string[][] {
  const curve = (method: string, variant: string): Float64Array => {
    const runs =
      methods.find((one) => one.method === method && one.variant === variant)?.metrics.accuracy ?? []
    const smoothed = runs.map((values) => smooth(values, HALF))
    return Float64Array.from(
      samples,
      (_, b) => smoothed.reduce((sum, run) => sum + (run[b] ?? 0), 0) / runs.length,
    )
  }
  const [sgd, fair, released, corrected, calibrated] = [
    curve('SGD', 'released'),
    curve('SGD', 'weight 1/b'),
    curve('RLVI', 'released'),
    curve('RLVI', 'true loss'),
    curve('calibrated', 'default'),
  ] as const
  return publishedReadings.flatMap((reading) => {
    const b = samples.indexOf(reading.samples)
    if (b < 0) return []
    const at = (values: Float64Array): string => (100 * (values[b] ?? Number.NaN)).toFixed(1)
    return [
      [
        String(reading.samples),
        reading.sgd.toFixed(1),
        at(sgd),
        at(fair),
        reading.rlvi.toFixed(1),
        at(released),
        at(corrected),
        at(calibrated),
      ],
    ]
  })
}
