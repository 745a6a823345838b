import { sizeOf } from '../../../graph/graph.js'
import type { AvgPool, AvgPoolGrad, MaxPool, MaxPoolGrad } from '../../../graph/ops.js'
import type { Lowering, Rule } from '../lowering.js'

type Pool = MaxPool | MaxPoolGrad | AvgPool | AvgPoolGrad

const attributes = (op: Pool): Record<string, readonly number[]> => ({
  kernel_shape: op.kernel,
  strides: op.stride,
  pads: [...op.padding, ...op.padding],
})

/** Images in phases with the four places of a window on an axis of their own. */
function fourPlaces(low: Lowering, x: number): string {
  const shape = low.shape(x)
  return low.emit.reshape(low.phased(x), [shape[0], 4, sizeOf(shape) / shape[0] / 4])
}

export const maxPool: Rule<MaxPool> = (low, { op, inputs: [x], outputs: [y] }) => {
  const { emit } = low
  if (low.only(x, 'phased')) {
    const largest = emit.reduce('ReduceMax', fourPlaces(low, x), [1])
    return low.put(y, 'plain', emit.reshape(largest, low.shape(y)))
  }
  low.put(y, 'plain', emit.op('MaxPool', [low.plain(x)], attributes(op)))
}

export const maxPoolGrad: Rule<MaxPoolGrad> = (low, { op, inputs: [x, y, dy], outputs: [dx] }) => {
  const { emit } = low
  const shape = low.shape(x)
  if (low.only(x, 'phased')) {
    const [n, c, h, w] = shape
    const one = [n, 1, (c * h * w) / 4]
    const hits = emit.op('Equal', [fourPlaces(low, x), emit.reshape(low.plain(y), one)])
    // Of several maxima the first counts: 4 for the first place, 1 for the last, and the largest of these wins.
    const ranks = emit.op('Mul', [emit.cast(hits, 'float32'), emit.reals([1, 4, 1], [4, 3, 2, 1])])
    const first = emit.op('Equal', [ranks, emit.reduce('ReduceMax', ranks, [1], true)])
    const spread = emit.op('Mul', [emit.cast(first, 'float32'), emit.reshape(low.plain(dy), one)])
    return low.put(dx, 'phased', emit.reshape(spread, [n, 4 * c, h / 2, w / 2]))
  }
  const [, places] = emit.ops('MaxPool', 2, [low.plain(x)], attributes(op))
  const flat = [places, low.plain(dy)].map((name) => emit.reshape(name, [-1]))
  const none = emit.op('Expand', [emit.real(0), emit.ints([sizeOf(shape)])])
  const apart = op.kernel.every((length, axis) => length <= op.stride[axis])
  const scatter = apart ? { axis: 0 } : { axis: 0, reduction: 'add' }
  low.put(dx, 'plain', emit.reshape(emit.op('ScatterElements', [none, ...flat], scatter), shape))
}

export const avgPool: Rule<AvgPool> = (low, { op, inputs: [x], outputs: [y] }) => {
  const name = low.emit.op('AveragePool', [low.plain(x)], { ...attributes(op), count_include_pad: 1 })
  low.put(y, 'plain', name)
}

/** Each dy is spread evenly over its window: a transposed convolution of each channel with equal entries. */
export const avgPoolGrad: Rule<AvgPoolGrad> = (low, { op, inputs: [dy], outputs: [dx] }) => {
  const { emit } = low
  const [n, c, rows, columns] = low.shape(dy)
  const [kh, kw] = op.kernel
  const kernel = emit.reals([1, 1, kh, kw], new Array<number>(kh * kw).fill(1 / (kh * kw)))
  const left = [rows, columns].map(
    (count, axis) => op.size[axis] - ((count - 1) * op.stride[axis] + op.kernel[axis] - 2 * op.padding[axis]),
  )
  const single = emit.reshape(low.plain(dy), [n * c, 1, rows, columns])
  const spread = emit.op('ConvTranspose', [single, kernel], { ...attributes(op), output_padding: left })
  low.put(dx, 'plain', emit.reshape(spread, [n, c, ...op.size]))
}
