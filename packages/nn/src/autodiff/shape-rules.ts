import type { Value } from '../graph/builder.js'
import { type Shape, sizeOf } from '../graph/graph.js'
import type { Reduce } from '../graph/ops.js'
import { broadcastTo, concat, mul, reshape, slice, sum, transpose } from '../graph/values.js'
import { tieShares } from './elementwise-rules.js'
import { type Rules, unbroadcast } from './rule.js'

/** A reduced value with its axes of length 1 put back; a scalar broadcasts without them. */
function kept(reduced: Value, op: Reduce, x: Value): Value {
  if (op.keepDims || reduced.shape.length === 0) return reduced
  return reshape(
    reduced,
    x.shape.map((length, axis) => (op.axes.includes(axis) ? 1 : length)),
  )
}

function zeros(like: Value, shape: Shape): Value {
  return like.graph.apply({ kind: 'constant', shape, values: [0] }, [])[0]
}

export const shapeRules: Rules = {
  reduceSum: ({ op, inputs: [x], gradients }) => [broadcastTo(kept(gradients[0]!, op, x), x.shape)],
  reduceMean: ({ op, inputs: [x], outputs: [y], gradients }) => {
    const count = sizeOf(x.shape) / sizeOf(y.shape)
    return [broadcastTo(kept(mul(gradients[0]!, 1 / count), op, x), x.shape)]
  },
  // Equal maxima share the gradient, as in PyTorch's amax.
  reduceMax: ({ op, inputs: [x], outputs: [y], gradients }) => {
    const shares = tieShares(x, kept(y, op, x), (hits) => sum(hits, { axes: op.axes, keepDims: true }))
    return [mul(shares, kept(gradients[0]!, op, x))]
  },
  reshape: ({ inputs: [x], gradients }) => [reshape(gradients[0]!, x.shape)],
  broadcastTo: ({ inputs: [x], gradients }) => [unbroadcast(gradients[0]!, x)],
  transpose: ({ op, gradients }) => [
    transpose(
      gradients[0]!,
      op.order.map((_, axis) => op.order.indexOf(axis)),
    ),
  ],
  concat: ({ op, inputs, gradients, wanted }) => {
    let start = 0
    return inputs.map((part, i) => {
      const from = start
      start += part.shape[op.axis]
      return wanted[i] ? slice(gradients[0]!, op.axis, from, start) : undefined
    })
  },
  slice: ({ op, inputs: [x], gradients }) => {
    const length = (n: number): Shape => x.shape.map((full, axis) => (axis === op.axis ? n : full))
    const parts = [gradients[0]!]
    if (op.start > 0) parts.unshift(zeros(x, length(op.start)))
    const rest = x.shape[op.axis] - op.end
    if (rest > 0) parts.push(zeros(x, length(rest)))
    return [concat(parts, op.axis)]
  },
}
