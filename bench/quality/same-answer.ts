import type { Supervised } from 'rlvi'
import { type Fit, type FitOptions, fit, type LinearErrors, type LinearRegressionParams, linear } from 'rlvi'

/** What a linear fit says, in numbers that can be sent between threads. */
export interface Answer {
  readonly level: number
  readonly low: number
  readonly high: number
  /** Intercept first, as the standard errors. */
  readonly coefficients: readonly number[]
  readonly errors: readonly number[]
  readonly clean: Float64Array
  /** The law of good errors, or `-` where the method names none. */
  readonly law: string
  /** What it cautions about, joined by +, or `-`. */
  readonly cautions: string
  readonly status: string
}

export function answerOf(data: Supervised, options: FitOptions = {}): Answer {
  return described(fit(linear(), data, options))
}

export function described(result: Fit<LinearRegressionParams, LinearErrors>): Answer {
  const { params, standardErrors, corruption, clean, status } = result
  const { level = Number.NaN, interval: [low, high] = [Number.NaN, Number.NaN] } = corruption
  return {
    level,
    low,
    high,
    coefficients: [params.intercept, ...params.coefficients],
    errors: standardErrors ? [standardErrors.intercept, ...standardErrors.coefficients] : [],
    clean,
    law: result.errors?.name ?? '-',
    cautions: result.cautions?.map(({ about }) => about).join('+') || '-',
    status: status.kind === 'degenerate' ? status.reason : status.kind,
  }
}

/** The largest gap of a coefficient, in the standard errors of `b`; NaN where something is missing or not a number. */
export function distanceInErrors(a: readonly number[], b: Pick<Answer, 'coefficients' | 'errors'>): number {
  return Math.max(
    0,
    ...b.coefficients.map((c, j) => (a[j] === c ? 0 : Math.abs(a[j] - c) / (b.errors[j] ?? Number.NaN))),
  )
}

export function contains({ low, high }: Pick<Answer, 'low' | 'high'>, level: number): boolean {
  return low <= level && level <= high
}

/** An interval of less than a tenth of a row has no width: no data say a share so exactly. An exact fit has no interval. */
export function hasNoWidth({ low, high, clean }: Pick<Answer, 'low' | 'high' | 'clean'>): boolean {
  return (high - low) * clean.length <= 0.1
}
