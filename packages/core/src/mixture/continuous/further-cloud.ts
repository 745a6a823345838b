import type { Matrix } from '../../matrix.js'
import { predictiveRadius } from './predictive-radius.js'
import { CLEARLY_APART, separation } from './separation.js'
import { whiten } from './whiten.js'

/** Rows outside a cloud as a cloud of their own. */
export interface FurtherCloud {
  /** Log-likelihood ratio against every law with one hump. */
  readonly evidence: number
  /** 1 for rows that clearly lie apart, 0 for the others. */
  readonly apart: Float64Array
}

/**
 * Whether the rows outside a cloud lie apart from it, seen in two ways: along the line to their mean, where one cluster
 * stands out best, and by their distances, for clusters in several directions.
 */
export function furtherCloud(x: Matrix, inside: Float64Array): FurtherCloud {
  const apart = new Float64Array(x.rows)
  const count = inside.reduce((sum, weight) => sum + weight, 0)
  const white = count < x.rows ? whiten(x, inside) : undefined
  if (white === undefined) return { evidence: 0, apart }
  const views = [
    { values: towards(white, inside), reach: predictiveRadius(1, count) },
    { values: distances(white), reach: predictiveRadius(x.cols, count) },
  ].map(({ values, reach }) => ({ values, ...separation(Float64Array.from(values).sort(), reach) }))
  for (const { values, evidence, from } of views) {
    if (evidence >= CLEARLY_APART) for (let i = 0; i < apart.length; i++) if (values[i] >= from) apart[i] = 1
  }
  return { evidence: Math.max(...views.map(({ evidence }) => evidence)), apart }
}

/** The rows along the line to the mean of those outside: Fisher's discriminant, by the cloud's own scatter. */
function towards({ rows, cols, values }: Matrix, inside: Float64Array): Float64Array {
  const line = new Float64Array(cols)
  for (let i = 0; i < rows; i++) {
    if (inside[i] === 0) for (let j = 0; j < cols; j++) line[j] += values[i * cols + j]
  }
  const length = Math.hypot(...line)
  const out = new Float64Array(rows)
  if (length === 0) return out
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) out[i] += (values[i * cols + j] * line[j]) / length
  }
  return out
}

function distances({ rows, cols, values }: Matrix): Float64Array {
  const out = new Float64Array(rows)
  for (let k = 0; k < values.length; k++) out[Math.floor(k / cols)] += values[k] * values[k]
  return out.map(Math.sqrt)
}
