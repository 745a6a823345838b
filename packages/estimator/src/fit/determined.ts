import { linear, type Matrix } from 'rlvi'
import { designColumns, type Encoding } from '../encoding/encoding.js'
import { standardise } from './units.js'

/** Larger designs are not copied to be looked at: what depends in them is found by the fit, and is an error. */
const MOST_VALUES = 10_000_000

/**
 * The columns of categories that the columns before them determine, such as the country beside the city: whatever they could
 * say is said already. Numbers are left to the fit, since a copy of a number is somebody's mistake.
 */
export function determined(x: Matrix, encodings: readonly Encoding[], intercept: boolean): Encoding[] {
  const isCategory = encodings.some(({ kind }) => kind === 'category')
  if (!isCategory || encodings.length < 2 || x.values.length > MOST_VALUES || x.rows <= x.cols) return []
  const copy = { ...x, values: x.values.slice() }
  const isNumber = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
  standardise(copy, isNumber, intercept)
  const { problem } = linear({ intercept }).fit({ x: copy, y: new Float64Array(x.rows) })
  const dependent = new Set(problem?.reason === 'collinear' ? problem.columns : [])
  let at = 0
  return encodings.filter((encoding) => {
    const own = designColumns([encoding]).map(() => at++)
    return encoding.kind === 'category' && own.every((j) => dependent.has(j))
  })
}
