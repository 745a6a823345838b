import { sizeOf } from '../../../graph/graph.js'
import type {
  BroadcastTo,
  Concat,
  Constant,
  OneHot,
  Reduce,
  Reshape,
  Slice,
  Smallest,
  Take,
  Transpose,
} from '../../../graph/ops.js'
import { BLOCKED } from '../emitter.js'
import type { Lowering, Rule } from '../lowering.js'

export const constant: Rule<Constant> = (low, { op, outputs: [y] }) => {
  const count = sizeOf(op.shape)
  const { emit } = low
  if (op.values.length === count) return low.put(y, 'plain', emit.reals(op.shape, op.values))
  low.put(y, 'plain', emit.op('Expand', [emit.real(op.values[0]), emit.ints(op.shape)]))
}

export const reduce: Rule<Reduce> = (low, { op, inputs: [x], outputs: [y] }) => {
  const { emit } = low
  const shape = low.shape(x)
  const result = low.shape(y)
  const kind = ({ reduceSum: 'ReduceSum', reduceMean: 'ReduceMean', reduceMax: 'ReduceMax' } as const)[
    op.kind
  ]
  if (op.axes.length === 0) return low.put(y, 'plain', low.plain(x))
  if (op.kind !== 'reduceMax' && low.only(x, 'blocked') && `${op.axes}` === '2,3') {
    return low.put(y, 'plain', emit.reshape(overImages(low, x, op.kind), result))
  }
  if (op.kind !== 'reduceMax' && low.only(x, 'blocked') && `${op.axes}` === '0,2,3') {
    const images = emit.reshape(overImages(low, x, op.kind), [shape[0], shape[1]])
    return low.put(y, 'plain', emit.reshape(emit.reduce(kind, images, [0]), result))
  }
  if (low.only(x, 'phased') && `${op.axes}` === '0,2,3') {
    const [n, c, h, w] = shape
    const split = emit.reshape(low.phased(x), [n, 4, c, (h * w) / 4])
    return low.put(y, 'plain', emit.reshape(emit.reduce(kind, split, [0, 1, 3]), result))
  }
  low.put(y, 'plain', emit.reduce(kind, low.plain(x), op.axes, op.keepDims))
}

/** The mean or the sum of each channel of each image, [N, C, 1, 1]. */
function overImages(low: Lowering, x: number, kind: 'reduceMean' | 'reduceSum'): string {
  const [, , h, w] = low.shape(x)
  const means = low.emit.op('GlobalAveragePool', [low.blocked(x)], {}, BLOCKED)
  return kind === 'reduceMean' ? means : low.emit.op('Mul', [means, low.emit.real(h * w)])
}

export const reshape: Rule<Reshape> = (low, { op, inputs: [x], outputs: [y] }) => {
  low.put(y, 'plain', low.emit.reshape(low.plain(x), op.shape))
}

export const broadcastTo: Rule<BroadcastTo> = (low, { op, inputs: [x], outputs: [y] }) => {
  low.put(y, 'plain', low.emit.op('Expand', [low.plain(x), low.emit.ints(op.shape)]))
}

export const transpose: Rule<Transpose> = (low, { op, inputs: [x], outputs: [y] }) => {
  low.put(y, 'plain', low.emit.transpose(low.plain(x), op.order))
}

export const concat: Rule<Concat> = (low, { op, inputs, outputs: [y] }) => {
  const parts = inputs.map((id) => low.plain(id))
  low.put(y, 'plain', low.emit.op('Concat', parts, { axis: op.axis }))
}

export const slice: Rule<Slice> = (low, { op, inputs: [x], outputs: [y] }) => {
  const { emit } = low
  const bounds = [[op.start], [op.end], [op.axis]].map((value) => emit.ints(value))
  low.put(y, 'plain', emit.op('Slice', [low.plain(x), ...bounds]))
}

export const take: Rule<Take> = (low, { inputs: [table, rows], outputs: [y] }) => {
  low.put(y, 'plain', low.emit.op('Gather', [low.plain(table), low.plain(rows)], { axis: 0 }))
}

/** [n] labels to [n, classes] of 0 and 1. */
export function hot(low: Lowering, labels: number, classes: number): string {
  const { emit } = low
  const column = emit.reshape(low.plain(labels), [-1, 1])
  const all = emit.whole(
    [1, classes],
    Array.from({ length: classes }, (_, k) => k),
  )
  return emit.cast(emit.op('Equal', [column, all]), 'float32')
}

export const oneHot: Rule<OneHot> = (low, { op, inputs: [labels], outputs: [y] }) => {
  low.put(y, 'plain', hot(low, labels, op.classes))
}

/** Sorts all, so that every shape is known, and marks the first k places. TopK takes equal entries in order. */
export const smallest: Rule<Smallest> = (low, { inputs: [x, k], outputs: [mask] }) => {
  const { emit } = low
  const [n] = low.shape(x)
  const [, order] = emit.ops('TopK', 2, [low.plain(x), emit.ints([n])], { axis: 0, largest: 0, sorted: 1 })
  const places = emit.reals(
    [n],
    Array.from({ length: n }, (_, i) => i),
  )
  const kept = emit.cast(emit.op('Less', [places, emit.op('Floor', [low.plain(k)])]), 'float32')
  const none = emit.op('Expand', [emit.real(0), emit.ints([n])])
  low.put(mask, 'plain', emit.op('ScatterElements', [none, order, kept], { axis: 0 }))
}
