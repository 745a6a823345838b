import { RlviError } from 'rlvi'
import { type Shape, sizeOf } from '../../graph/graph.js'
import type { Concat, OneHot, Slice } from '../../graph/ops.js'
import type { FloatTensor, Make, Tensor } from './tensor.js'

/** The shape as [before the axis, the axis, after it]. */
function split(shape: Shape, axis: number): readonly [number, number, number] {
  return [sizeOf(shape.slice(0, axis)), shape[axis], sizeOf(shape.slice(axis + 1))]
}

export function concat(op: Concat, parts: readonly Tensor[], shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  const [outer, total, inner] = split(shape, op.axis)
  let start = 0
  for (const part of parts) {
    const length = part.shape[op.axis] * inner
    for (let o = 0; o < outer; o++) {
      for (let i = 0; i < length; i++) out.data[o * total * inner + start + i] = part.data[o * length + i]
    }
    start += length
  }
  return out
}

export function slice(op: Slice, x: Tensor, shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  const [outer, total, inner] = split(x.shape, op.axis)
  const length = (op.end - op.start) * inner
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < length; i++) out.data[o * length + i] = x.data[(o * total + op.start) * inner + i]
  }
  return out
}

export function take(table: Tensor, rows: Tensor, shape: Shape, make: Make): Tensor {
  const width = sizeOf(table.shape.slice(1))
  const whole = table.data instanceof Int32Array
  const out: Tensor = whole ? { shape, data: new Int32Array(sizeOf(shape)) } : make(shape)
  rows.data.forEach((row, i) => {
    inRange('take', row, table.shape[0])
    for (let j = 0; j < width; j++) out.data[i * width + j] = table.data[row * width + j]
  })
  return out
}

export function oneHot(op: OneHot, labels: Tensor, make: Make): FloatTensor {
  const out = make([labels.shape[0], op.classes])
  labels.data.forEach((label, i) => {
    out.data[i * op.classes + inRange('oneHot', label, op.classes)] = 1
  })
  return out
}

export function smallest(x: Tensor, k: Tensor, make: Make): FloatTensor {
  const out = make(x.shape)
  const order = Array.from(x.data, (_, i) => i).sort((i, j) => x.data[i] - x.data[j] || i - j)
  const count = Math.min(Math.max(Math.floor(k.data[0]), 0), order.length)
  for (let i = 0; i < count; i++) out.data[order[i]] = 1
  return out
}

/** The index itself, if there is such an entry. */
export function inRange(where: string, index: number, count: number): number {
  if (index < 0 || index >= count) throw new RlviError(where, `must be from 0 to ${count - 1}`, index)
  return index
}
