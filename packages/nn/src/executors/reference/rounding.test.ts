import { describe, expect, it } from 'vitest'
import { GraphBuilder } from '../../graph/builder.js'
import { node } from '../../graph/values.js'
import { TestRandom } from '../../testing/random.js'
import { referenceExecutor } from './reference.js'
import { roundedInputs, roundedResults } from './rounding.js'

const matmul = { kind: 'matmul', transposeA: false, transposeB: false } as const
const relu = { kind: 'relu' } as const
const tensor = (shape: readonly number[], values: readonly number[]) => ({
  shape,
  data: Float64Array.from(values),
})

describe('rounding', () => {
  it('goes to the nearest number of 10 or 7 bits behind the point, of equally near ones to the even one', () => {
    const at = (value: number) => [...roundedInputs(matmul, [tensor([1, 1], [value])], 'tf32')[0].data][0]
    expect([1 + 2 ** -11, 1 + 3 * 2 ** -11, 1 + 2 ** -11 + 2 ** -20, -1 - 3 * 2 ** -11].map(at)).toEqual([
      1,
      1 + 2 ** -9,
      1 + 2 ** -10,
      -1 - 2 ** -9,
    ])
    const stored = roundedResults(relu, [tensor([1, 1, 1, 2], [1 + 2 ** -8, 1 + 3 * 2 ** -8])], 'bf16')
    expect([...stored[0].data]).toEqual([1, 1 + 2 ** -6])
  })

  it('leaves parameters, sums and small tensors alone', () => {
    const fine = [tensor([2], [0.1, 0.2])]
    expect(roundedResults(relu, fine, 'bf16')).toEqual(fine)
    const step = { kind: 'sgdStep', momentum: 0, weightDecay: 0 } as const
    const filters = [tensor([1, 1, 1, 2], [0.1, 0.2])]
    expect(roundedResults(step, filters, 'bf16')).toEqual(filters)
    expect(roundedInputs(relu, filters, 'bf16')).toEqual(filters)
  })

  it('puts a convolution off by no more than its factors and its result are, and by something', async () => {
    const random = new TestRandom(2)
    const g = new GraphBuilder()
    const plain = { kind: 'conv2d', stride: [1, 1], padding: [0, 0] } as const
    g.fetch('y', node(plain, g.feed('x', [2, 3, 6, 6]), g.feed('w', [4, 3, 3, 3])))
    const graph = g.build()
    const feeds = {
      x: Float32Array.from(random.uniforms(216, 1, 2)),
      w: Float32Array.from(random.uniforms(108, 1, 2)),
    }
    const exact = (await (await referenceExecutor().compile(graph)).run(feeds)).y
    // All terms are positive, so that the errors of factors carry over: half a unit each, and one for the result.
    for (const [rounding, unit, times] of [
      ['tf32', 2 ** -11, 2],
      ['bf16', 2 ** -8, 3],
    ] as const) {
      const { y } = await (await referenceExecutor({ rounding }).compile(graph)).run(feeds)
      const errors = Array.from(y, (value, i) => Math.abs(value / exact[i] - 1))
      expect(Math.max(...errors)).toBeLessThan(times * unit * 1.01)
      expect(Math.max(...errors)).toBeGreaterThan(unit / 100)
    }
  })
})
