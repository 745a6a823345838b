import { studentQuantile } from 'rlvi'
import type { NamedErrors, NamedParams } from './named-params.js'

/** Where a number lies with a probability of 90 %. */
export type Interval = readonly [low: number, high: number]

/** Intervals in the shape of the standard errors that they are made of. */
export type Intervals<E = NamedErrors> = E extends number
  ? Interval
  : { readonly [K in keyof E]: Intervals<E[K]> }

/** What lies outside of an interval, on both sides together. */
const OUTSIDE = 0.1

/**
 * How many standard errors a 90 % interval reaches to either side: by Student's law where the scale was estimated from
 * the same rows, with as many degrees of freedom as they leave; by the normal one where there is no scale.
 */
export function reach(degreesOfFreedom: number): number {
  return studentQuantile(OUTSIDE, Math.max(1, degreesOfFreedom))
}

/** The interval about each parameter that has a standard error. */
export function intervals(params: NamedParams, errors: NamedErrors, within: number): Intervals {
  return about(params, errors, within) as Intervals
}

function about(params: unknown, errors: unknown, within: number): unknown {
  if (typeof errors === 'number') {
    const value = params as number
    return [value - within * errors, value + within * errors]
  }
  if (Array.isArray(errors)) return errors.map((error, j) => about((params as unknown[])[j], error, within))
  const of = params as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(errors as object).map(([key, error]) => [key, about(of[key], error, within)]),
  )
}
