import { linear, matrix, type Supervised, takeRows } from 'rlvi'
import { withRareRows } from 'rlvi/passes'
import type { Prepared } from '../fit/prepare.js'
import type { ResponseUnits, Units } from '../fit/units.js'
import { inUnits } from './in-units.js'
import type { WorstRows } from './judge-rows.js'
import type { Source } from './row-source.js'

/** The complete rows of the sample as the fit sees them. */
export function sampleInUnits({ x, response }: Prepared, units: Units, answer: ResponseUnits): Supervised {
  const out = matrix(x.rows, x.cols)
  inUnits(x, Array.from(units.centre.keys()), units, out.values)
  const y = (response?.y ?? new Float64Array(0)).map((value) => (value - answer.centre) / answer.scale)
  return { x: out, y }
}

/** Which of the complete rows are the even sample. */
export function evenRows({ rows }: Prepared, { even }: Source<unknown>): Int32Array {
  const isEven = new Set(even)
  return Int32Array.from(rows.keys()).filter((i) => isEven.has(rows[i]!))
}

export function taken({ x, y }: Supervised, rows: Int32Array): Supervised {
  return { x: takeRows(x, rows), y: y.length === 0 ? y : Float64Array.from(rows, (i) => y[i]!) }
}

/** The worst rows that are not in the sample, by their places in the table; all where they have none. */
export function unlike(worst: WorstRows, places: Float64Array, sample: Float64Array): WorstRows {
  const known = new Set(sample)
  const rows = Int32Array.from(places.keys()).filter((k) => places[k]! < 0 || !known.has(places[k]!))
  return { places: Float64Array.from(rows, (k) => places[k]!), ...taken(worst, rows) }
}

/**
 * The even sample, and of the others those without which a column says nothing in it: a category of three rows in a million is
 * in no sample.
 */
export function withRare(sample: Supervised, even: Int32Array, intercept: boolean): Supervised {
  if (sample.y.length === 0) return taken(sample, even)
  return taken(sample, withRareRows(linear({ intercept }), sample, even))
}

/** Some rows, and behind them others. */
export function joined(first: Supervised, second: Supervised): Supervised {
  const x = matrix(first.x.rows + second.x.rows, first.x.cols)
  x.values.set(first.x.values)
  x.values.set(second.x.values, first.x.values.length)
  return { x, y: first.y.length === 0 ? first.y : Float64Array.from([...first.y, ...second.y]) }
}
