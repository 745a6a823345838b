import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numbers } from '../columns/column.js'
import { fitTable } from './fit-table.js'
import { chooseModel } from './target.js'

function modelOf(values: readonly number[], isLabels = false): string {
  const data = numbers(Float64Array.from(values))
  return chooseModel(data, Int32Array.from(values.keys()), isLabels).model
}

/** Each value that many times. */
function times(counts: readonly number[], value: (k: number) => number): number[] {
  return counts.flatMap((count, k) => Array<number>(count).fill(value(k)))
}

describe('what a target of numbers is taken for', () => {
  test('two different whole numbers are two labels, whatever they are', () => {
    const whole = fc.integer({ min: -1e6, max: 1e6 })
    fc.assert(
      fc.property(whole, whole, fc.array(fc.boolean(), { minLength: 2 }), (a, b, which) => {
        fc.pre(a !== b && which.includes(true) && which.includes(false))
        return modelOf(which.map((one) => (one ? a : b))) === 'logistic'
      }),
    )
  })

  test.each([
    ['three kinds', times([50, 30, 20], (k) => k + 1), 'softmax'],
    ['ten digits', times(Array(10).fill(20), (k) => k), 'softmax'],
    ['cylinders of 32 cars', times([11, 7, 14], (k) => 4 + 2 * k), 'softmax'],
    ['twenty codes', times(Array(20).fill(10), (k) => 100 * k), 'softmax'],
    ['more than twenty', times(Array(21).fill(10), (k) => k), 'linear'],
    ['counts, the large ones rare', times([60, 30, 8, 2], (k) => k), 'linear'],
    ['marks, the best and worst rare', times([20, 163, 1457, 2198, 880, 175, 5], (k) => k + 3), 'linear'],
    ['a fraction among them', [...times([50, 50], (k) => k + 1), 1.5], 'linear'],
    ['one number', times([50], () => 7), 'linear'],
  ] as const)('%s', (_, values, model) => {
    expect(modelOf(values)).toBe(model)
  })

  test('of labels, rare numbers are labels too', () => {
    expect(
      modelOf(
        times([60, 30, 8, 2], (k) => k),
        true,
      ),
    ).toBe('softmax')
    expect(
      modelOf(
        times(Array(21).fill(10), (k) => k),
        true,
      ),
    ).toBe('linear')
    expect(modelOf([0.5, 1.5, 2.5, 0.5, 1.5, 2.5], true)).toBe('linear')
  })
})

describe('the remark says how to have it otherwise', () => {
  const x = Array.from({ length: 60 }, (_, i) => Math.sin(5 * i))
  const remark = (y: number[]): string => fitTable({ x, y }, { target: 'y' }).remarks[0]!

  test('for codes from 1', () => {
    expect(remark(x.map((_, i) => 1 + (i % 3)))).toBe(
      `model: softmax (the target's 3 different whole numbers are taken as labels; model "linear" takes them as quantities, poisson as counts)`,
    )
  })
  test('for -1 and 1, which are no counts', () => {
    expect(remark(x.map((_, i) => (i % 3 === 0 ? -1 : 1)))).toBe(
      `model: logistic (the target's 2 different whole numbers are taken as labels; model "linear" takes them as quantities)`,
    )
  })
  test('for 0 and 1 there is no other way to take them', () => {
    expect(remark(x.map((_, i) => i % 2))).toBe('model: logistic (chosen by the target; model overrides)')
  })
})
