import { RlviError } from 'rlvi'
import * as v from 'valibot'
import { dateOrders, dateParts } from '../columns/dates.js'
import type { SavedModel } from './saved-model.js'
import { checkSizes } from './sizes.js'

const number = v.pipe(v.number(), v.finite())
const numbers = v.array(number)
const table = v.array(numbers)
const linear = { intercept: number, coefficients: numbers }

const order = v.picklist(dateOrders)
const date = v.exactOptional(
  v.variant('part', [
    v.object({ order, part: v.literal('days'), from: v.pipe(v.string(), v.isoDate()) }),
    v.object({ order, part: v.literal('hours') }),
    v.object({ order, part: v.picklist(dateParts) }),
  ]),
)

const schema = v.object({
  format: v.literal('rlvi-model'),
  version: v.literal(1),
  method: v.string(),
  rows: v.pipe(v.number(), v.integer(), v.minValue(1)),
  features: v.array(
    v.variant('kind', [
      v.object({
        name: v.string(),
        kind: v.literal('number'),
        date,
        words: v.exactOptional(v.literal('missing')),
      }),
      v.object({
        name: v.string(),
        kind: v.literal('category'),
        date,
        base: v.string(),
        values: v.array(v.string()),
        aliased: v.exactOptional(v.array(v.string())),
      }),
    ]),
  ),
  missing: v.exactOptional(v.array(v.string())),
  target: v.optional(v.object({ name: v.string(), classes: v.optional(v.array(v.string())) })),
  fitted: v.variant('model', [
    v.object({ model: v.literal('linear'), params: v.object({ ...linear, scale: number }) }),
    v.object({ model: v.picklist(['logistic', 'poisson']), params: v.object(linear) }),
    v.object({ model: v.literal('softmax'), params: v.object({ intercepts: numbers, coefficients: table }) }),
    v.object({ model: v.literal('mean'), params: v.object({ mean: numbers, scale: numbers }) }),
    v.object({ model: v.literal('covariance'), params: v.object({ mean: numbers, covariance: table }) }),
    v.object({
      model: v.literal('pca'),
      params: v.object({ mean: numbers, components: table, variances: numbers }),
    }),
  ]),
  errors: v.optional(
    v.object({
      name: v.picklist(['normal', 'student', 'light', 'skewed', 'varying', 'poisson', 'negative-binomial']),
      degreesOfFreedom: v.exactOptional(number),
      above: v.exactOptional(number),
      columns: v.exactOptional(numbers),
      growth: v.exactOptional(number),
      dispersion: v.exactOptional(number),
    }),
  ),
  uncertainty: v.optional(v.object({ covariance: table, within: number })),
  origin: v.optional(
    v.object({ rlvi: v.string(), date: v.string(), source: v.string(), level: v.nullable(number) }),
  ),
})

/** What messages call a model and who wrote it. */
export interface ModelSource {
  /** Such as the path of its file; default `model`. */
  readonly where?: string
  /** Default `writeModel`. */
  readonly writer?: string
}

/**
 * A saved model from its text, or from the parsed JSON. Throws an `RlviError` that names the place where it is none.
 *
 * @example
 * const model = readModel(await readFile('model.json', 'utf8'))
 * const { predicted } = predictTable(model, columns)
 */
export function readModel(given: unknown, source: ModelSource = {}): SavedModel {
  const { where = 'model', writer = 'writeModel' } = source
  const todo = `is this a file that ${writer} wrote?`
  const parsed = v.safeParse(schema, typeof given === 'string' ? json(given, where, todo) : given)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const place = v.getDotPath(issue)
    const rule = `a model file has ${issue.expected ?? 'another value'} there`
    throw new RlviError(place === null ? where : `${where} at ${place}`, rule, issue.input, todo)
  }
  checkSizes(where, parsed.output)
  return parsed.output
}

function json(text: string, where: string, todo: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RlviError(where, 'a model file in JSON is needed', text, todo)
  }
}
