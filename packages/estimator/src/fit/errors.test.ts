import type { Caution, ErrorLaw, Fit, FitOptions, Params } from 'rlvi'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readModel } from '../model/read-model.js'
import { writeModel } from '../model/write-model.js'
import { OptionError } from '../words.js'
import { type ErrorLawChoice, errorLawChoices } from './error-laws.js'
import { fitTable } from './fit-table.js'
import { type ModelName, methodNames, modelNames } from './methods.js'
import type { FitTableOptions } from './options.js'

/** What `fit` was asked, and what it is to have found. */
const asked: (FitOptions | undefined)[] = []
let found: { readonly errors?: ErrorLaw; readonly cautions?: readonly Caution[] } | undefined

vi.mock('rlvi', async (original) => {
  const real = await original<typeof import('rlvi')>()
  const fit = (likelihood: never, data: never, options?: FitOptions): Fit<Params> => {
    asked.push(options)
    const result = real.fit(likelihood, data, options) as Fit<Params>
    if (found === undefined) return result
    const { errors: _, cautions: __, ...rest } = result
    return { ...rest, ...found }
  }
  return { ...real, fit }
})

afterEach(() => {
  asked.length = 0
  found = undefined
})

const n = 60
const z = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) + Math.sin(3.7 * i * k)
const a = Array.from({ length: n }, (_, i) => z(i, 1))
const b = a.map((_, i) => 5 + z(i, 2))
const city = a.map((_, i) => ['bonn', 'oslo', 'rome', 'rome'][(7 * i + (i >> 2)) % 4]!)
const y = a.map((value, i) => 1 + 2 * value + 0.3 * z(i, 3) + (i % 15 ? 0 : 20))
const counts = a.map((value, i) => Math.round(Math.exp(1 + 0.5 * value)) + (i % 3))
const answer: Partial<Record<ModelName, readonly (number | string)[]>> = {
  linear: y,
  logistic: city.map((name) => (name === 'rome' ? 'south' : 'north')),
  softmax: city,
  poisson: counts,
}

function fitOf(model: ModelName, options: FitTableOptions = {}): ReturnType<typeof fitTable> {
  const target = answer[model]
  if (target === undefined) return fitTable({ a, b }, { model, ...options })
  return fitTable({ a, b, answer: target as number[] }, { model, target: 'answer', ...options })
}

const measured: ErrorLawChoice[] = ['auto', 'normal', 'student', 'skewed']
const taken: Record<ModelName, ErrorLawChoice[]> = {
  linear: [...measured, 'light', 'varying'],
  mean: measured,
  covariance: measured,
  pca: measured,
  poisson: ['auto', 'poisson', 'negative-binomial'],
  logistic: ['auto'],
  softmax: ['auto'],
}

describe.each(modelNames)('the laws of %s', (model) => {
  test.each(errorLawChoices)('%s', (errors) => {
    if (!taken[model].includes(errors)) {
      expect(() => fitOf(model, { errors })).toThrow(OptionError)
      expect(() => fitOf(model, { errors })).toThrow(`errors "${errors}": is for model `)
      return
    }
    fitOf(model, { errors, seed: 3 })
    expect(asked).toMatchObject([{ errors, seed: 3 }])
  })

  test('are chosen by the rows where nothing is said', () => {
    fitOf(model)
    expect(asked).toMatchObject([{ errors: 'auto', seed: 0 }])
  })
})

describe('messages', () => {
  test.each(methodNames.filter((method) => method !== 'calibrated'))('%s has no law to choose', (method) => {
    const message = `errors: is for method "calibrated" only, got "${method}"; leave it out`
    expect(() => fitOf('linear', { method, errors: 'auto' })).toThrow(message)
  })

  test.each([
    [
      'mean',
      'varying',
      'errors "varying": is for model "linear" only, got "mean"; model "mean" takes auto, normal, student, skewed',
    ],
    [
      'poisson',
      'student',
      'errors "student": is for model "linear, mean, covariance, pca" only, got "poisson"; model "poisson" takes auto, poisson, negative-binomial',
    ],
    [
      'softmax',
      'normal',
      'errors "normal": is for model "linear, mean, covariance, pca" only, got "softmax"; leave it out for labels',
    ],
    [
      'linear',
      'gauss',
      'errors: one of auto, normal, student, light, skewed, varying, poisson, negative-binomial is needed, got "gauss"',
    ],
  ] as [ModelName, ErrorLawChoice, string][])('%s, %s', (model, errors, message) => {
    expect(() => fitOf(model, { errors })).toThrow(message)
  })

  test('a model that the target chooses is held to the same rules', () => {
    const chosen = (values: readonly unknown[], errors: ErrorLawChoice) => () =>
      fitTable({ a, answer: values as number[] }, { target: 'answer', errors })
    expect(chosen(y, 'negative-binomial')).toThrow(
      'errors "negative-binomial": is for model "poisson" only, got "linear"; model "linear" takes auto,',
    )
    expect(chosen(city, 'student')).toThrow(OptionError)
    expect(chosen(y, 'student')).not.toThrow()
  })
})

describe('what the fit found of good rows', () => {
  test.each(modelNames)('%s: is there where it is known, and absent where it is not', (model) => {
    for (const method of ['calibrated', 'ml'] as const) {
      const { errors, cautions, remarks, model: saved } = fitOf(model, { method })
      expect(Array.isArray(cautions)).toBe(true)
      expect(remarks.filter((line) => line.startsWith('caution: ')).length).toBeGreaterThanOrEqual(
        cautions.length,
      )
      expect('errors' in saved).toBe(errors !== undefined)
      if (method === 'ml') expect([errors, cautions]).toEqual([undefined, []])
    }
  })

  test('is kept with the model', () => {
    const errors: ErrorLaw = { name: 'skewed', above: 0.63, growth: 1.8 }
    found = { errors }
    const fit = fitOf('linear')
    expect(fit.errors).toEqual(errors)
    const text = writeModel(fit.model)
    expect(readModel(text)).toEqual(fit.model)
    expect(readModel(text).errors).toEqual(errors)
    found = {}
    const plain = fitOf('linear')
    expect(plain.errors).toBe(undefined)
    expect(writeModel(plain.model)).not.toContain('errors')
    const invalid = { ...fit.model, errors: { name: 'cauchy' } }
    expect(() => readModel(invalid)).toThrow(/^model at errors.name: a model file has .*got "cauchy"/)
  })

  test('cautions name columns as coefficients do, and are remarks too', () => {
    found = {
      cautions: [
        { about: 'few-rows', message: 'few rows' },
        { about: 'curvature', message: 'the residuals bend', column: 1 },
      ],
    }
    const columns = { 'a "b"\n': a, city, y }
    const { cautions, remarks, params } = fitTable(columns, { target: 'y', model: 'linear' })
    expect(cautions).toEqual([
      { about: 'few-rows', message: 'few rows' },
      { about: 'curvature', message: 'column "city=bonn": the residuals bend', column: 'city=bonn' },
    ])
    expect(params).toHaveProperty(['coefficients', 'city=bonn'])
    expect(remarks.slice(-2)).toEqual([
      'caution: few rows',
      'caution: column "city=bonn": the residuals bend',
    ])
    found = { cautions: [{ about: 'curvature', message: 'the residuals bend', column: 0 }] }
    const odd = fitTable(columns, { target: 'y', model: 'linear' })
    expect(odd.remarks.at(-1)).toBe('caution: column "a \\"b\\"\\n": the residuals bend')
  })
})
