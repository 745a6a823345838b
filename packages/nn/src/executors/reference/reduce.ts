import type { Reduce } from '../../graph/ops.js'
import { broadcastStrides, type FloatTensor, type Make, stridesOf, type Tensor, walk } from './tensor.js'

/** Sum, mean or maximum over axes. A NaN anywhere makes its result NaN. */
export function reduce(op: Reduce, x: Tensor, make: Make): FloatTensor {
  const kept = x.shape.map((length, axis) => (op.axes.includes(axis) ? 1 : length))
  const shape = op.keepDims ? kept : kept.filter((_, axis) => !op.axes.includes(axis))
  const out = make(shape)
  const totals = new Float64Array(out.data.length)
  const isMax = op.kind === 'reduceMax'
  if (isMax) totals.fill(Number.NEGATIVE_INFINITY)
  walk(x.shape, [stridesOf(x.shape), broadcastStrides(kept, x.shape)], ([from, to]) => {
    totals[to] = isMax ? Math.max(totals[to], x.data[from]) : totals[to] + x.data[from]
  })
  const count = op.kind === 'reduceMean' ? x.data.length / totals.length : 1
  for (let i = 0; i < totals.length; i++) out.data[i] = totals[i] / count
  return out
}
