import { describe, expect, it } from 'vitest'
import { matrix } from '../matrix.js'
import { init, update } from './online.js'
import type { StreamOptions } from './state.js'

describe('bad input', () => {
  const state = init({ model: 'logistic', features: 2 })
  const batch = (x: number[], y: number[]) => ({
    x: matrix(y.length, 2, Float64Array.from(x)),
    y: Float64Array.from(y),
  })

  it.each([
    [batch([1, 2, Number.NaN, 4], [0, 1]), /stream x: row 1, column 0 must be a finite number, got NaN/],
    [
      batch([1, 2, 3, Number.POSITIVE_INFINITY], [0, 1]),
      /row 1, column 1 must be a finite number, got Infinity/,
    ],
    [batch([1, 2, 3, 4], [0, 2]), /stream y: row 1 must be 0 or 1, got 2/],
    [batch([1, 2, 3, 4], [0, Number.NaN]), /stream y: entry 1 must be a finite number, got NaN/],
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
      /only the method 'calibrated' can tell drift/,
    ],
    [{ model: 'forest', features: 2 }, /one of logistic, softmax, linear is needed, got "forest"/],
  ])('options are refused: %o', (options, message) => {
    expect(() => init(options as StreamOptions)).toThrow(message)
  })
})
