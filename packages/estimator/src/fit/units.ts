import { type Matrix, type MiddleHalf, middleHalf, ofQuartiles } from 'rlvi'
import type { Fitted } from '../model/saved-model.js'

/** The fit sees (x - centre) / scale, so that no penalty, distance or stopping rule depends on units. */
export interface Units {
  readonly centre: Float64Array
  readonly scale: Float64Array
}

/** What was taken off a response, and what the rest was divided by, before it was fitted. */
export interface ResponseUnits {
  readonly centre: number
  readonly scale: number
}

export interface Spread {
  readonly mean: number
  /** Standard deviation, 0 where it is nothing but rounding. */
  readonly sd: number
  readonly rootMeanSquare: number
}

/** Mean and spread of column j, safe from overflow. */
export function spread({ rows, cols, values }: Matrix, j: number): Spread {
  const column = new Float64Array(rows)
  for (let i = 0, at = j; i < rows; i++, at += cols) column[i] = values[at]!
  return spreads({ rows, cols: 1, values: column })[0]!
}

/**
 * The same of all columns, row by row as they lie: column by column, all rows would come from memory for each of them. What a column has in
 * common, its first value, is taken off before anything is rounded, and a power of two keeps squares finite: neither costs a digit.
 */
export function spreads({ rows, cols, values }: Matrix): Spread[] {
  const largest = new Float64Array(cols)
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) {
      const size = Math.abs(values[at]!)
      if (size > largest[j]!) largest[j] = size
    }
  const per = largest.map((most) => 1 / powerOfTwo(most))
  const first = per.map((one, j) => values[j]! * one)
  const mean = new Float64Array(cols)
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) mean[j]! += values[at]! * per[j]! - first[j]!
  for (let j = 0; j < cols; j++) mean[j]! /= rows
  const about = new Float64Array(cols)
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) about[j]! += (values[at]! * per[j]! - first[j]! - mean[j]!) ** 2
  return Array.from(largest, (most, j) => {
    if (most === 0) return { mean: 0, sd: 0, rootMeanSquare: 0 }
    const unit = 1 / per[j]!
    const sd = Math.sqrt(about[j]! / rows)
    const middle = first[j]! + mean[j]!
    return {
      mean: middle * unit,
      sd: sd * unit > 1e-12 * most ? sd * unit : 0,
      rootMeanSquare: Math.hypot(sd, middle) * unit,
    }
  })
}

/** The largest one up to a number, with a reciprocal that is finite. */
function powerOfTwo(most: number): number {
  return 2 ** Math.max(-1022, Math.floor(Math.log2(most)))
}

export function unchanged(cols: number): Units {
  return { centre: new Float64Array(cols), scale: new Float64Array(cols).fill(1) }
}

/**
 * Standardises, in place, the columns that hold numbers; indicators keep their 0 and 1. Without an intercept a shift
 * would change the model, so columns are scaled only.
 */
export function standardise(x: Matrix, isNumber: readonly boolean[], intercept: boolean): Units {
  const units = unitsIn(x, isNumber, intercept)
  apply(x, units)
  return units
}

/** Moves, in place, columns of numbers that lie far from 0, in units that stay the user's. */
export function shiftToZero(x: Matrix, isNumber: readonly boolean[]): Units {
  const units = shiftsOf(unitsIn(x, isNumber, true))
  apply(x, units)
  return units
}

/**
 * What is to be taken off columns that keep their units: beside a year, or a time stamp, digits of a spread are lost, and a fit seems
 * to stand still that moves by more than it. A multiple of a power of two, so that whole numbers stay whole and columns around 0 as they are.
 */
export function shiftsOf({ centre, scale }: Units): Units {
  const round = (value: number, j: number): number => {
    const step = 2 ** Math.floor(Math.log2(scale[j]!))
    const shift = Math.round(value / step) * step
    return Number.isFinite(shift) ? shift : 0
  }
  return { centre: centre.map(round), scale: scale.map(() => 1) }
}

function unitsIn(x: Matrix, isNumber: readonly boolean[], intercept: boolean): Units {
  const units = unchanged(x.cols)
  columnsUnits(x, intercept).forEach(({ centre, scale }, j) => {
    if (!isNumber[j]) return
    units.centre[j] = centre
    units.scale[j] = scale
  })
  return units
}

/** The same for the response of a linear model, into a new array. */
export function standardiseResponse(
  y: Float64Array,
  intercept: boolean,
): { readonly y: Float64Array; readonly units: ResponseUnits } {
  const { centre, scale } = columnUnits({ rows: y.length, cols: 1, values: y }, 0, intercept)
  return { y: y.map((value) => (value - centre) / scale), units: { centre, scale } }
}

/** Beyond so many times the spread of the middle half a standard deviation is that of a few rows far out, or of a long tail. */
const FAR = 3
/** So many rows tell the middle half to well within this factor. */
const LOOKED_AT = 1000
export const ROUGHLY = 2
/** Of so many rows a quartile is within this share of them from that of all: more than four standard deviations. */
const SLACK = 0.06

/** The centre and the scale of each column, by few passes over the rows as they lie. */
export function columnsUnits(x: Matrix, intercept: boolean): ResponseUnits[] {
  return spreads(x).map((own, j) => unitsBy(own, x, j, intercept))
}

/**
 * The centre and the scale of a column. Where a few rows are far out, those of its middle half: the spread of all
 * others could be lost in the rounding of their distance from the mean, and the ridge of labels would count in units of those few.
 */
export function columnUnits(x: Matrix, j: number, intercept: boolean): ResponseUnits {
  return unitsBy(spread(x, j), x, j, intercept)
}

function unitsBy(
  { mean, sd, rootMeanSquare }: Spread,
  x: Matrix,
  j: number,
  intercept: boolean,
): ResponseUnits {
  if (!intercept) return { centre: 0, scale: rootMeanSquare || 1 }
  return middleIfFar(x, j, sd) ?? { centre: mean, scale: sd || 1 }
}

/** The centre and the scale of the middle half of a column, where a standard deviation is that of a few rows far out. */
export function middleIfFar(x: Matrix, j: number, sd: number): ResponseUnits | undefined {
  const rough = roughMiddle(x, j).scale
  if (rough > 0 && !isFar(ROUGHLY * sd, rough)) return undefined
  const found = middle(x, j)
  return isFar(sd, found.scale) ? found : undefined
}

/** Whether a standard deviation may be that of a few rows far out, as far as some of all rows say. */
export function mayBeFar(some: Matrix, j: number, sd: number): boolean {
  return isFar(ROUGHLY * sd, middle(some, j).scale)
}

/** Whether a standard deviation is that of a few rows far out, by the scale of the middle half. */
export function isFar(sd: number, scale: number): boolean {
  return scale > 0 && sd > FAR * scale
}

/** The middle half of a column. */
export function middle({ rows, cols, values }: Matrix, j: number): MiddleHalf {
  return middleHalf(Float64Array.from({ length: rows }, (_, i) => values[i * cols + j]!))
}

/** Multiples of it fall evenly, and in step with no period: every fourth row may be of one kind. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * The middle half of a column, roughly: of some of its rows. What is told of a column must not rest on it alone. It is rather too
 * narrow, so that the middle half of all rows has the last word: where two groups of rows meet at a quartile, some rows may have it in
 * the one and all of them in the other.
 */
export function roughMiddle({ rows, cols, values }: Matrix, j: number): MiddleHalf {
  const step = Math.max(1, rows / LOOKED_AT)
  const row = (k: number): number => Math.floor(step * (k + ((k * GOLDEN) % 1)))
  const some = Float64Array.from({ length: Math.floor(rows / step) }, (_, k) => values[row(k) * cols + j]!)
  const sorted = some.sort()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!
  return ofQuartiles([at(0.25 + SLACK), at(0.5), at(0.75 - SLACK)])
}

/**
 * Standardises every column, in place, by its median and quartiles: bad rows must not decide how much a column counts in
 * a distance over all of them.
 */
export function standardiseRobustly(x: Matrix): Units {
  const units = unchanged(x.cols)
  for (let j = 0; j < x.cols; j++) {
    const { centre, scale } = middle(x, j)
    units.centre[j] = centre
    units.scale[j] = scale || spread(x, j).sd || 1
  }
  apply(x, units)
  return units
}

function apply(x: Matrix, { centre, scale }: Units): void {
  for (let i = 0, at = 0; i < x.rows; i++) {
    for (let j = 0; j < x.cols; j++, at++) x.values[at] = (x.values[at]! - centre[j]!) / scale[j]!
  }
}

/** The model for x and y as the user has them, from the model for (x - centre) / scale and (y - centre) / scale. */
export function inUserUnits(fitted: Fitted, x: Units, y: ResponseUnits): Fitted {
  const back = (coefficients: readonly number[]): number[] =>
    coefficients.map((value, j) => (value / x.scale[j]!) * y.scale)
  const shift = (coefficients: readonly number[]): number =>
    coefficients.reduce((sum, value, j) => sum + (value * x.centre[j]!) / x.scale[j]!, 0)
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const { intercept, coefficients } = fitted.params
      const params = {
        intercept: (intercept - shift(coefficients)) * y.scale + y.centre,
        coefficients: back(coefficients),
      }
      if (fitted.model !== 'linear') return { model: fitted.model, params }
      return { model: 'linear', params: { ...params, scale: fitted.params.scale * y.scale } }
    }
    case 'softmax': {
      const { intercepts, coefficients } = fitted.params
      const params = {
        intercepts: intercepts.map((value, k) => value - shift(coefficients[k]!)),
        coefficients: coefficients.map(back),
      }
      return { model: 'softmax', params }
    }
    case 'mean': {
      const { mean, scale } = fitted.params
      const params = {
        mean: mean.map((value, j) => value * x.scale[j]! + x.centre[j]!),
        scale: scale.map((value, j) => value * x.scale[j]!),
      }
      return { model: 'mean', params }
    }
    case 'covariance':
    case 'pca': {
      const mean = fitted.params.mean.map((value, j) => value + x.centre[j]!)
      return { ...fitted, params: { ...fitted.params, mean } } as Fitted
    }
  }
}
