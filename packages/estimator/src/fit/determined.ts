import { linear, type Matrix, matrix } from 'rlvi'
import { twinOf } from '../diagnostics/design.js'
import { columnsOf } from '../encoding/design.js'
import { type DesignColumn, designColumns, type Encoding, titleOf } from '../encoding/encoding.js'
import type { LeftOut } from './left-out.js'
import { standardise } from './units.js'

/** Larger designs are not copied to be looked at: what depends in them is found by the fit, and is an error. */
const MOST_VALUES = 10_000_000
/** Rows that are looked at first, and for each column: what depends on others in all rows does so in some. */
const FEW_ROWS = 2000
const ROWS_EACH = 4

/** A design without the columns that say nothing which those before them do not. */
export interface Independent {
  readonly x: Matrix
  readonly encodings: readonly Encoding[]
  readonly left: readonly LeftOut[]
}

/**
 * Leaves out columns that the columns before them determine: a copy, the same in other units, a sum of others, the country
 * beside the city, a weekday that comes on one date only. Whatever they could say is said already.
 */
export function independent(x: Matrix, encodings: readonly Encoding[], intercept: boolean): Independent {
  const columns = designColumns(encodings)
  if (columns.length < 2 || x.rows <= x.cols) return { x, encodings, left: [] }
  const isNumber = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
  const some = everyFew(x)
  if (dependentIn(some, isNumber, intercept).length === 0) return { x, encodings, left: [] }
  if (x.values.length > MOST_VALUES) return { x, encodings, left: [] }
  const dependent = new Set(dependentIn({ ...x, values: x.values.slice() }, isNumber, intercept))
  if (dependent.size === 0) return { x, encodings, left: [] }
  const kept = columns.flatMap((_, j) => (dependent.has(j) ? [] : [j]))
  const found = without(x, encodings, columns, dependent)
  return { x: columnsOf(x, kept), ...found }
}

/** Leaves out columns of which all rows of a table, of which `x` are some, say that they depend on those before them. */
export function withoutDependent(
  x: Matrix,
  encodings: readonly Encoding[],
  dependent: ReadonlySet<number>,
): Independent & { readonly kept: readonly number[] } {
  const columns = designColumns(encodings)
  const kept = columns.flatMap((_, j) => (dependent.has(j) ? [] : [j]))
  return { x: columnsOf(x, kept), ...without(x, encodings, columns, dependent), kept }
}

/** The columns that depend on those before them; `x` is standardised. */
function dependentIn(x: Matrix, isNumber: readonly boolean[], intercept: boolean): readonly number[] {
  standardise(x, isNumber, intercept)
  const { problem } = linear({ intercept }).fit({ x, y: new Float64Array(x.rows) })
  return problem?.reason === 'collinear' ? (problem.columns ?? []) : []
}

/** The columns of some rows that neither are constant nor depend on those before them. */
export function independentPlaces(x: Matrix, intercept: boolean): number[] {
  const { rows, cols, values } = x
  const varying = Array.from({ length: cols }, (_, j) => j).filter((j) => {
    for (let i = 1; i < rows; i++) if (values[i * cols + j] !== values[j]) return true
    return false
  })
  if (rows <= varying.length) return varying
  const dependent = new Set(
    dependentIn(
      columnsOf(x, varying),
      varying.map(() => true),
      intercept,
    ),
  )
  return varying.filter((_, k) => !dependent.has(k))
}

/** A copy of rows from all over the table. */
function everyFew({ rows, cols, values }: Matrix): Matrix {
  const step = Math.max(1, Math.floor(rows / Math.max(FEW_ROWS, ROWS_EACH * cols)))
  const count = Math.ceil(rows / step)
  const out = matrix(count, cols)
  for (let i = 0; i < count; i++)
    out.values.set(values.subarray(i * step * cols, (i * step + 1) * cols), i * cols)
  return out
}

/** A column of categories loses those of its values that depend, which the model still has to know. */
function without(
  x: Matrix,
  encodings: readonly Encoding[],
  columns: readonly DesignColumn[],
  dependent: ReadonlySet<number>,
  why: 'determined' | 'untrusted' = 'determined',
): Omit<Independent, 'x'> {
  const left: LeftOut[] = []
  let at = 0
  const kept = encodings.flatMap((encoding): Encoding[] => {
    const first = at
    at += encoding.kind === 'number' ? 1 : encoding.values.length
    if (encoding.kind === 'number') {
      if (!dependent.has(first)) return [encoding]
      const twin = twinOf(x, first)
      const reason = twin === undefined ? why : 'copy'
      left.push({
        column: titleOf(encoding),
        reason,
        ...(twin === undefined ? {} : { value: columns[twin]!.name }),
      })
      return []
    }
    const values = encoding.values.filter((_, k) => !dependent.has(first + k))
    if (values.length === encoding.values.length) return [encoding]
    if (values.length === 0) {
      left.push({ column: titleOf(encoding), reason: why })
      return []
    }
    const aliased = encoding.values.filter((value) => !values.includes(value))
    for (const value of aliased) left.push({ column: `${titleOf(encoding)}=${value}`, reason: why })
    return [{ ...encoding, values, aliased }]
  })
  return { encodings: kept, left }
}

/** Leaves out the columns that repeat another one: a covariance of both would have no inverse. */
export function withoutCopies(x: Matrix, encodings: readonly Encoding[]): Independent {
  const left: LeftOut[] = []
  const kept: number[] = []
  const some = everyFew(x)
  encodings.forEach((encoding, j) => {
    const twin = twinOf(some, j) === undefined ? undefined : twinOf(x, j)
    if (twin === undefined) kept.push(j)
    else left.push({ column: titleOf(encoding), reason: 'copy', value: titleOf(encodings[twin]!) })
  })
  if (left.length === 0) return { x, encodings, left }
  return { x: columnsOf(x, kept), encodings: kept.map((j) => encodings[j]!), left }
}

/** Leaves out categories by the names of their columns: the fit trusts none of their rows, so that nothing is known of them. */
export function withoutUntrusted(found: Independent, names: ReadonlySet<string>): Independent {
  const columns = designColumns(found.encodings)
  const places = columns.flatMap(({ name }, j) => (names.has(name) ? [j] : []))
  if (places.length === 0) return found
  const kept = columns.flatMap(({ name }, j) => (names.has(name) ? [] : [j]))
  const { encodings, left } = without(found.x, found.encodings, columns, new Set(places), 'untrusted')
  return { x: columnsOf(found.x, kept), encodings, left: [...found.left, ...left] }
}
