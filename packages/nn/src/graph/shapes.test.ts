import { describe, expect, it } from 'vitest'
import { broadcastShape } from './checker.js'
import type { DType, Shape } from './graph.js'
import type { Op } from './ops.js'
import { outputTypes } from './shapes.js'

const window = { stride: [1, 1], padding: [0, 0] } as const
const f = (...shape: Shape): { shape: Shape; dtype: DType } => ({ shape, dtype: 'f32' })
const i = (...shape: Shape): { shape: Shape; dtype: DType } => ({ shape, dtype: 'i32' })

describe('shape rules', () => {
  const wrong: readonly (readonly [Op, readonly { shape: Shape; dtype: DType }[], string])[] = [
    [{ kind: 'exp' }, [f(2), f(2)], 'exp: takes 1 inputs, got 2'],
    [{ kind: 'exp' }, [i(2)], 'exp: input 0 must hold real numbers, got "i32"'],
    [{ kind: 'add' }, [f(2, 3), f(2)], 'add: shapes must broadcast, got "[2, 3] and [2]"'],
    [{ kind: 'constant', shape: [3], values: [1, 2] }, [], 'constant: needs 1 or 3 values for [3], got 2'],
    [
      { kind: 'reduceSum', axes: [1, 0], keepDims: false },
      [f(2, 2)],
      'axes must be ascending and inside [2, 2]',
    ],
    [
      { kind: 'reduceMax', axes: [2], keepDims: false },
      [f(2, 2)],
      'axes must be ascending and inside [2, 2]',
    ],
    [{ kind: 'reshape', shape: [5] }, [f(2, 2)], 'reshape: the new shape must have 4 entries, got [5]'],
    [
      { kind: 'broadcastTo', shape: [2] },
      [f(2, 2)],
      'broadcastTo: [2, 2] must broadcast to the new shape, got [2]',
    ],
    [{ kind: 'transpose', order: [0, 0] }, [f(2, 2)], 'order must list each axis of [2, 2] once'],
    [
      { kind: 'concat', axis: 0 },
      [f(2, 2), f(2, 3)],
      'shapes must agree except on axis 0, got "[2, 2] and [2, 3]"',
    ],
    [{ kind: 'slice', axis: 0, start: 1, end: 1 }, [f(2)], 'must lie inside [2] and hold something'],
    [{ kind: 'take' }, [f(2), f(2)], 'take: input 1 must hold whole numbers, got "f32"'],
    [{ kind: 'oneHot', classes: 3 }, [i(2, 2)], 'oneHot: takes labels [n], got "[2, 2]"'],
    [{ kind: 'smallest' }, [f(2, 2), f()], 'smallest: takes values [n] and a scalar k, got "[2, 2] and []"'],
    [{ kind: 'matmul', transposeA: false, transposeB: true }, [f(2, 3), f(3, 4)], 'must agree (3 and 4)'],
    [
      { kind: 'matmul', transposeA: false, transposeB: false },
      [f(2, 3), f(3, 4), f(3)],
      'the bias must be [4]',
    ],
    [{ kind: 'conv2d', ...window }, [f(1, 2, 5, 5), f(4, 3, 3, 3)], 'must agree (2 and 3)'],
    [{ kind: 'conv2d', ...window }, [f(1, 2, 5, 5), f(4, 2, 3, 3), f(2)], 'the bias must be [4]'],
    [
      { kind: 'conv2d', stride: [0, 1], padding: [0, 0] },
      [f(1, 1, 5, 5), f(1, 1, 3, 3)],
      'stride must be whole',
    ],
    [
      { kind: 'conv2d', stride: [1, 1], padding: [0, -1] },
      [f(1, 1, 5, 5), f(1, 1, 3, 3)],
      'padding must be whole',
    ],
    [
      { kind: 'conv2d', ...window },
      [f(1, 1, 2, 9), f(1, 1, 3, 3)],
      'the window must fit into the padded image',
    ],
    [
      { kind: 'conv2dInputGrad', ...window, size: [9, 9] },
      [f(1, 4, 3, 3), f(4, 2, 3, 3)],
      'dy must be as large as the output',
    ],
    [
      { kind: 'conv2dWeightGrad', ...window, kernel: [2, 2] },
      [f(1, 4, 5, 5), f(1, 2, 3, 3)],
      'dy must be as large as the output',
    ],
    [
      { kind: 'maxPool', stride: [1, 1], padding: [2, 0], kernel: [3, 3] },
      [f(1, 1, 5, 5)],
      'padding must be at most half the window [3, 3], got [2, 0]',
    ],
    [{ kind: 'batchNormTrain', epsilon: 1 }, [f(2, 3, 4, 4), f(3), f(4)], 'must be [3]'],
    [{ kind: 'crossEntropy' }, [f(2, 3), i(3)], 'takes logits [N, K] and labels [N], got "[2, 3] and [3]"'],
    [{ kind: 'crossEntropy' }, [f(2, 3), f(2)], 'crossEntropy: input 1 must hold whole numbers, got "f32"'],
    [{ kind: 'sgdStep', momentum: 0, weightDecay: 0 }, [f(2), f(2), f(2), f(2)], 'the rate must be a scalar'],
  ]
  it.each(wrong)('%o refuses %o', (op, inputs, message) => {
    expect(() => outputTypes(op, inputs, '')).toThrow(message)
    expect(() => outputTypes(op, inputs, 'layer9')).toThrow(`layer9 (${op.kind}): `)
  })

  it('count windows as PyTorch does: rounded down', () => {
    const conv = { kind: 'conv2d', stride: [2, 2], padding: [1, 1] } as const
    expect(outputTypes(conv, [f(1, 3, 30, 15), f(8, 3, 3, 3)], '')[0].shape).toEqual([1, 8, 15, 8])
    const pool = { kind: 'maxPool', stride: [2, 2], padding: [1, 1], kernel: [3, 3] } as const
    expect(outputTypes(pool, [f(1, 3, 112, 111)], '')[0].shape).toEqual([1, 3, 56, 56])
  })

  it('broadcast as numpy does', () => {
    expect(broadcastShape([2, 1, 3], [4, 1])).toEqual([2, 4, 3])
    expect(broadcastShape([], [2])).toEqual([2])
    expect(broadcastShape([2, 3], [3, 2])).toBeUndefined()
  })
})
