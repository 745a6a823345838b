import type { Shape } from '../../graph/graph.js'
import type { Binary, Unary } from '../../graph/ops.js'
import { broadcastStrides, type FloatTensor, type Make, stridesOf, type Tensor, walk } from './tensor.js'

const unaries: Readonly<Record<Unary['kind'], (x: number) => number>> = {
  neg: (x) => -x,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  abs: Math.abs,
  relu: (x) => Math.max(x, 0),
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  tanh: Math.tanh,
  stopGradient: (x) => x,
}

const binaries: Readonly<Record<Binary['kind'], (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  maximum: Math.max,
  minimum: Math.min,
  greater: (a, b) => (a > b ? 1 : 0),
  greaterEqual: (a, b) => (a >= b ? 1 : 0),
  equal: (a, b) => (a === b ? 1 : 0),
}

export function unary(op: Unary, x: Tensor, make: Make): FloatTensor {
  const out = make(x.shape)
  const f = unaries[op.kind]
  for (let i = 0; i < out.data.length; i++) out.data[i] = f(x.data[i])
  return out
}

export function binary(op: Binary, a: Tensor, b: Tensor, shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  const f = binaries[op.kind]
  let n = 0
  walk(shape, [broadcastStrides(a.shape, shape), broadcastStrides(b.shape, shape)], (at) => {
    out.data[n++] = f(a.data[at[0]], b.data[at[1]])
  })
  return out
}

export function where(mask: Tensor, a: Tensor, b: Tensor, shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  const strides = [mask, a, b].map((tensor) => broadcastStrides(tensor.shape, shape))
  let n = 0
  walk(shape, strides, ([m, i, j]) => {
    out.data[n++] = mask.data[m] !== 0 ? a.data[i] : b.data[j]
  })
  return out
}

export function broadcastTo(x: Tensor, shape: Shape, make: Make): FloatTensor {
  const out = make(shape)
  let n = 0
  walk(shape, [broadcastStrides(x.shape, shape)], ([i]) => {
    out.data[n++] = x.data[i]
  })
  return out
}

export function transpose(x: Tensor, order: readonly number[], make: Make): FloatTensor {
  const strides = stridesOf(x.shape)
  const out = make(order.map((axis) => x.shape[axis]))
  let n = 0
  walk(out.shape, [order.map((axis) => strides[axis])], ([i]) => {
    out.data[n++] = x.data[i]
  })
  return out
}
