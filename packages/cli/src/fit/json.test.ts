import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { data, header, models, withTarget } from '../testing/data.js'
import { run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const linearFile = folder.csv('linear.csv', [header, ...data])

function fileFor(model: string): string {
  const made = data.map((row, i) => [...row.slice(0, 3), withTarget[model]!(row, i)])
  return folder.csv(`${model}.csv`, [header, ...made])
}

describe('the JSON document', () => {
  const number = v.pipe(v.number(), v.finite())
  const byFeature = v.record(v.string(), number)
  const common = {
    method: v.string(),
    features: v.array(v.string()),
    rows: v.literal(80),
    dropped: v.strictObject({ missing: v.literal(0) }),
    corruption: v.strictObject({
      level: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      interval: v.nullable(v.tuple([number, number])),
      source: v.picklist(['inferred', 'relative', 'assumed']),
      habits: v.exactOptional(
        v.array(v.strictObject({ truth: v.string(), label: v.string(), share: number })),
      ),
    }),
    errors: v.optional(
      v.strictObject({
        name: v.picklist(['normal', 'student', 'skewed', 'varying', 'poisson', 'negative-binomial']),
        degreesOfFreedom: v.optional(number),
        above: v.optional(number),
        columns: v.optional(v.array(number)),
        growth: v.optional(number),
        dispersion: v.optional(number),
      }),
    ),
    badFrom: v.optional(
      v.union([
        v.strictObject({
          above: v.exactOptional(number),
          below: v.exactOptional(number),
          at: v.exactOptional(number),
        }),
        v.strictObject({ distance: number }),
      ]),
    ),
    cautions: v.array(
      v.strictObject({ about: v.string(), message: v.string(), column: v.optional(v.string()) }),
    ),
    effectiveRows: v.pipe(v.number(), v.minValue(1), v.maxValue(80)),
    status: v.picklist(['converged', 'max-iterations', 'degenerate']),
    reason: v.optional(v.string()),
    message: v.optional(v.string()),
    iterations: v.pipe(v.number(), v.integer(), v.minValue(0)),
    flagged: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(80)),
    seconds: v.pipe(v.number(), v.minValue(0)),
  }
  const interval = v.tuple([number, number])
  const target = {
    target: v.literal('y'),
    explained: v.strictObject({ measure: v.picklist(['R²', 'deviance']), share: number }),
  }
  const classes = { classes: v.array(v.string()) }
  const regression = {
    intercept: number,
    coefficients: byFeature,
    standardErrors: v.optional(v.strictObject({ intercept: number, coefficients: byFeature })),
    intervals: v.optional(
      v.strictObject({ intercept: interval, coefficients: v.record(v.string(), interval) }),
    ),
  }
  const plain = { intercept: number, coefficients: byFeature }
  const byClass = {
    intercepts: v.strictObject({ high: number, low: number, mid: number }),
    coefficients: v.strictObject({ high: byFeature, low: byFeature, mid: byFeature }),
  }
  const three = v.strictTuple([number, number, number])
  const schemas: Record<string, v.GenericSchema> = {
    linear: v.strictObject({
      model: v.literal('linear'),
      ...common,
      ...target,
      params: v.strictObject({ ...regression, scale: number }),
      ml: v.optional(v.strictObject({ ...plain, scale: number })),
    }),
    poisson: v.strictObject({
      model: v.literal('poisson'),
      ...common,
      ...target,
      params: v.strictObject(regression),
      ml: v.optional(v.strictObject(plain)),
    }),
    logistic: v.strictObject({
      model: v.literal('logistic'),
      ...common,
      ...target,
      ...classes,
      params: v.strictObject(regression),
      ml: v.optional(v.strictObject(plain)),
    }),
    softmax: v.strictObject({
      model: v.literal('softmax'),
      ...common,
      ...target,
      ...classes,
      params: v.strictObject({
        ...byClass,
        standardErrors: v.optional(v.strictObject(byClass)),
        intervals: v.optional(v.looseObject({})),
      }),
      ml: v.optional(v.strictObject(byClass)),
    }),
    mean: v.strictObject({
      model: v.literal('mean'),
      ...common,
      params: v.strictObject({
        mean: three,
        scale: v.strictObject({ x1: number, x2: number, y: number }),
        standardErrors: v.optional(v.strictObject({ mean: three })),
        intervals: v.optional(v.strictObject({ mean: v.strictTuple([interval, interval, interval]) })),
      }),
      ml: v.optional(
        v.strictObject({ mean: three, scale: v.strictObject({ x1: number, x2: number, y: number }) }),
      ),
    }),
    covariance: v.strictObject({
      model: v.literal('covariance'),
      ...common,
      params: v.strictObject({
        mean: three,
        covariance: v.pipe(v.array(three), v.length(3)),
      }),
    }),
    pca: v.strictObject({
      model: v.literal('pca'),
      ...common,
      params: v.strictObject({
        mean: three,
        components: v.pipe(v.array(three), v.length(2)),
        variances: v.strictTuple([number, number]),
      }),
    }),
  }

  const cases = Object.keys(schemas).flatMap((model) =>
    ['calibrated', 'paper', 'ml', 'sever', 'rrm', ...(model === 'linear' ? ['huber'] : [])].map((method) => [
      model,
      method,
    ]),
  )
  test.each(cases)('%s, %s', async (model, method) => {
    const supervised = models.includes(model)
    const flags = supervised ? ['--target', 'y'] : ['--exclude', 'city']
    if (model === 'pca') flags.push('--components', '2')
    const path = supervised ? fileFor(model) : linearFile
    const found = await runJson('fit', path, '--model', model, '--method', method, ...flags)
    v.parse(schemas[model]!, found)
    expect(found.method).toBe(method)
    const inferred = method === 'calibrated'
    expect(found.corruption.source === 'inferred').toBe(inferred)
    const { level, interval } = found.corruption
    if (inferred && interval !== null) expect(interval[0] <= level && level <= interval[1]).toBe(true)
    if (!inferred) expect([found.errors, found.cautions]).toEqual([undefined, []])
    const wanted = inferred && !['pca', 'covariance'].includes(model)
    // A label that is never right, or labels that are told apart perfectly, have coefficients without a best size: errors may be missing then, but not without a word.
    const sized = !inferred || (found.corruption.habits === undefined && found.status !== 'degenerate')
    if (sized) expect(found.params.standardErrors !== undefined).toBe(wanted)
    else expect(found.cautions).not.toEqual([])
    const text = await run('fit', path, '--model', model, '--method', method, ...flags)
    expect(text.out).toMatch(new RegExp(`^[^\\n]* +${method}, 80 rows\\n`))
    expect(text.out.includes('±')).toBe(found.params.standardErrors !== undefined)
    expect(text.out.includes('90 % interval')).toBe(interval !== null)
    expect(text.out.includes('does not measure a share')).toBe(found.corruption.source === 'relative')
  })

  test('a name like __proto__ is a name', async () => {
    const path = folder.csv('proto.csv', [
      ['__proto__', 'constructor', 'y'],
      ...data.map((r) => [r[0], r[1], r[3]]),
    ])
    const { params } = await runJson('fit', path, '--target', 'y')
    expect(Object.keys(params.coefficients)).toEqual(['__proto__', 'constructor'])
  })
})
