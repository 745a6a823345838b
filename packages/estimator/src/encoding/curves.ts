import { type Column, columnOf } from '../columns/column.js'

/** Where the pieces of a curve meet, as shares of the rows (Harrell's choice for four knots). */
const KNOTS = [0.05, 0.35, 0.65, 0.95]

/**
 * A table whose columns of numbers may bend: each is joined by the terms of a restricted cubic spline, so that a model which
 * is linear in its columns follows a smooth curve of each, straight beyond the outer knots. Columns with too few different
 * values for that, texts, and the one named `except` stay as they are.
 */
export function withCurves(columns: ReadonlyMap<string, Column>, except: string): Map<string, Column> {
  const out = new Map(columns)
  for (const name of columns.keys()) {
    const column = columnOf(columns, name)
    if (name === except || column.kind !== 'number') continue
    const { values, offset, stride, length } = column
    const x = Float64Array.from({ length }, (_, i) => values[offset + i * stride]!)
    const knots = knotsOf(x)
    if (knots === undefined) continue
    for (const [k, term] of curveTerms(x, knots).entries()) out.set(unused(out, `${name}~${k + 1}`), term)
  }
  return out
}

/** The terms beside x itself of a restricted cubic spline with these knots, in units of x. */
export function curveTerms(x: Float64Array, knots: readonly number[]): Float64Array[] {
  const [first, last, before] = [knots[0]!, knots.at(-1)!, knots.at(-2)!]
  const cube = (value: number): number => (value > 0 ? value ** 3 : value <= 0 ? 0 : Number.NaN)
  return knots.slice(0, -2).map((knot) =>
    x.map((v) => {
      const bends = cube(v - knot) - (cube(v - before) * (last - knot)) / (last - before)
      return (bends + (cube(v - last) * (before - knot)) / (last - before)) / (last - first) ** 2
    }),
  )
}

/** Undefined where they would not lie apart: then there is hardly a curve to see. */
function knotsOf(x: Float64Array): number[] | undefined {
  const sorted = x.filter((value) => !Number.isNaN(value)).sort()
  const knots = KNOTS.map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  return knots.every((knot, k) => k === 0 || knot > knots[k - 1]!) ? knots : undefined
}

function unused(columns: ReadonlyMap<string, Column>, name: string): string {
  return columns.has(name) ? unused(columns, `${name}~`) : name
}
