import { type Matrix, matrix, ofQuartiles } from 'rlvi'
import { type Moments, passModels } from 'rlvi/passes'
import { designColumns, type Encoding } from '../encoding/encoding.js'
import { withoutDependent } from '../fit/determined.js'
import type { Settings } from '../fit/options.js'
import type { Prepared } from '../fit/prepare.js'
import {
  columnUnits,
  mayBeFar,
  type ResponseUnits,
  shiftsOf,
  standardiseRobustly,
  type Units,
} from '../fit/units.js'
import { momentsInUnits } from './known-moments.js'
import type { PassRows } from './pass-rows.js'
import { dependentColumns, responseUnitsOf, spreads, unitsOf } from './whole-units.js'

/** What all rows say of the columns: their units, and which repeat others. */
export async function inWholeUnits(
  first: Prepared,
  open: PassRows,
  { intercept }: Settings,
): Promise<{
  readonly prepared: Prepared
  readonly kept: readonly number[]
  readonly units: Units
  readonly answer: ResponseUnits
  /** Sums over all rows in these units. */
  readonly known: Moments
}> {
  const { model, response } = first
  const isLinear = model === 'linear'
  const y = isLinear ? response!.y : NONE
  const from = isLinear ? columnUnits(columnOf(y), 0, true).centre : 0
  const zero = { intercept: from, coefficients: new Float64Array(first.x.cols), scale: 1 }
  const moments = isLinear
    ? await open.sums(passModels.linear()).moments({ weights: { by: 'all' }, params: zero })
    : await open.sums(passModels.mean()).moments({ weights: { by: 'all' } })
  const dependent = new Set(dependentColumns(moments, open.centre, model, intercept))
  const { kept, x, encodings, left } = withoutDependent(first.x, first.encodings, dependent)
  const isNumber = numeric(first.encodings)
  const quartiles = await quartilesForRidge(open, moments, first, isNumber, intercept)
  const standard = (isFree: boolean): Units =>
    unitsOf(moments, open.centre, isNumber, isFree, first.x, quartiles)
  // Covariance and components are in the user's units.
  const all = response === undefined ? shiftsOf(standard(true)) : standard(intercept)
  const units =
    model === 'mean'
      ? await robustUnits(open, moments, x)
      : { centre: pick(all.centre, kept), scale: pick(all.scale, kept) }
  const answer = isLinear ? responseUnitsOf(moments, from, intercept, response!.y) : { centre: 0, scale: 1 }
  return {
    known: momentsInUnits({ moments, from }, kept, units, answer, isLinear),
    prepared: { ...first, x, encodings, columns: designColumns(encodings), left: [...first.left, ...left] },
    kept,
    units,
    answer,
  }
}

/**
 * The quartiles of all rows where some rows may be far out and the units decide what a ridge is: a label's coefficients are those of other
 * units by quartiles of a sample. The other models find the same in any units.
 */
async function quartilesForRidge(
  open: PassRows,
  moments: Moments,
  { model, x }: Prepared,
  isNumber: readonly boolean[],
  intercept: boolean,
): Promise<readonly Float64Array[] | undefined> {
  if (!intercept || (model !== 'logistic' && model !== 'softmax')) return undefined
  const { sd } = spreads(moments, open.centre)
  return isNumber.some((is, j) => is && mayBeFar(x, j, sd[j]!)) ? await open.quartiles?.() : undefined
}

function numeric(encodings: readonly Encoding[]): boolean[] {
  return encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
}

function pick(values: Float64Array, places: readonly number[]): Float64Array {
  return Float64Array.from(places, (j) => values[j]!)
}

/** As `standardiseRobustly`, by the quartiles of all rows where they can be had; a mean has all of its columns. */
async function robustUnits(open: PassRows, moments: Moments, sample: Matrix): Promise<Units> {
  const quartiles = await open.quartiles?.()
  if (quartiles === undefined) return standardiseRobustly(copyOf(sample))
  const { sd } = spreads(moments, open.centre)
  const found = quartiles.map(ofQuartiles)
  return {
    centre: Float64Array.from(found, ({ centre }) => centre),
    scale: Float64Array.from(found, ({ scale }, j) => scale || sd[j]! || 1),
  }
}

function copyOf({ rows, cols, values }: Matrix): Matrix {
  return matrix(rows, cols, values.slice())
}

const NONE = new Float64Array(0)

function columnOf(values: Float64Array): Matrix {
  return matrix(values.length, 1, values)
}
