import { describe, expect, it } from 'vitest'
import { matrix } from '../matrix.js'
import { init } from './init.js'
import type { OnlineOptions } from './options.js'
import { predict } from './predict.js'
import type { OnlineState } from './state.js'
import { update } from './update.js'

describe('bad input', () => {
  const state = init({ model: 'logistic', features: 2 })
  const batch = (x: number[], y: number[]) => ({
    x: matrix(y.length, 2, Float64Array.from(x)),
    y: Float64Array.from(y),
  })

  it.each([
    [batch([1, 2, Number.NaN, 4], [0, 1]), /online x: row 1, column 0 must be a finite number, got NaN/],
    [
      batch([1, 2, 3, Number.POSITIVE_INFINITY], [0, 1]),
      /row 1, column 1 must be a finite number, got Infinity/,
    ],
    [batch([1, 2, 3, 4], [0, 2]), /online y: row 1 must be 0 or 1, got 2/],
    [batch([1, 2, 3, 4], [0, Number.NaN]), /online y: entry 1 must be a finite number, got NaN/],
    [{ x: matrix(1, 3), y: Float64Array.of(1) }, /2 columns are needed, as at the start, got 3/],
    [{ x: matrix(1, 2), y: Float64Array.of(1, 0) }, /one value for each of 1 rows is needed, got 2/],
  ])('a batch is refused with its row', (bad, message) => {
    expect(() => update(state, bad)).toThrow(message)
  })

  it.each([
    [{ model: 'softmax', features: 2 }, /at least 2 labels, got 0/],
    [{ model: 'logistic', features: -1 }, /whole number of columns/],
    [
      { model: 'logistic', features: 2, method: 'best' },
      /one of calibrated, paper, rrm, sgd is needed, got "best"/,
    ],
    [{ model: 'logistic', features: 2, schedule: 'optimal', alpha: 0 }, /needs a positive penalty/],
    [{ model: 'linear', features: 2, asReleased: true }, /labels 0 and 1 only/],
    [{ model: 'linear', features: 2, scaling: 'batch' }, /is for labels/],
    [
      { model: 'logistic', features: 2, method: 'sgd', drift: true },
      /only the method 'calibrated' detects drift/,
    ],
    [
      { model: 'linear', features: 2, method: 'rrm', assumed: 1.5 },
      /online assumed: a number between 0 and 1/,
    ],
    [{ model: { name: 'linear' }, features: 2 }, /a name that no built-in model has is needed, got "linear"/],
    [{ model: 'forest', features: 2 }, /one of logistic, softmax, linear is needed, got "forest"/],
  ])('options are refused: %o', (options, message) => {
    expect(() => init(options as OnlineOptions)).toThrow(message)
  })
})

describe('a state of another release', () => {
  it('is refused with what to do, not learned from wrongly', () => {
    const state = { ...init({ model: 'logistic', features: 1 }), version: 1 } as unknown as OnlineState
    const message =
      'online state: a state of version 2 is needed, got one of version 1; begin anew with online.init and learn the rows again'
    expect(() => update(state, { x: matrix(1, 1), y: new Float64Array(1) })).toThrow(message)
    expect(() => predict(state, matrix(1, 1))).toThrow(message)
  })
})
