import { type Matrix, matrix } from 'rlvi'
import { draws } from 'rlvi/random'

/** Clouds of good rows, clean or with a cluster of bad ones: exactly round(share n) rows, so that the truth is no draw. */

export interface ClusterSetting {
  readonly rows: number
  readonly columns: number
  /** Of bad rows. */
  readonly share: number
  /** From the centre of the good rows, in their standard deviations. */
  readonly distance: number
  /** Of the cluster, in the good rows' standard deviations. */
  readonly spread: number
}

/** N(0, I), and a cluster in a direction of its own: nothing is lost by axes that are alike, since the model knows no axes. */
export function clusterData(setting: ClusterSetting, seed: number, run: number): Matrix {
  const { rows, columns, share, distance, spread } = setting
  const random = draws(seed, 'clusters', ...Object.values(setting), run)
  const bad = Math.round(share * rows)
  const towards = Float64Array.from({ length: columns }, () => random.normal())
  const length = Math.hypot(...towards)
  const x = matrix(rows, columns)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const noise = random.normal()
      x.values[i * columns + j] = i < bad ? (distance * towards[j]) / length + spread * noise : noise
    }
  }
  return x
}

/** Laws without a bad row. */
export const LAWS = ['normal', 'exponential', 'lognormal', 't5'] as const
export type Law = (typeof LAWS)[number]

/** Columns that are independent, or for `t5` rows of a multivariate t-distribution. */
export function lawData(law: Law, rows: number, columns: number, seed: number, run: number): Matrix {
  const random = draws(seed, 'clean-clouds', law, rows, columns, run)
  const x = matrix(rows, columns)
  for (let i = 0; i < rows; i++) {
    const stretch = law === 't5' ? Math.sqrt(5 / random.chiSquared(5)) : 1
    for (let j = 0; j < columns; j++) {
      x.values[i * columns + j] =
        law === 'exponential'
          ? random.chiSquared(2) / 2
          : law === 'lognormal'
            ? Math.exp(random.normal())
            : stretch * random.normal()
    }
  }
  return x
}
