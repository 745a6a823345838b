import { type Shape, sizeOf } from '../../graph/graph.js'
import type { FloatArray } from '../executor.js'

/** Numbers with a shape, row-major. */
export interface Tensor {
  readonly shape: Shape
  readonly data: FloatArray | Int32Array
}

/** Makes a tensor of zeros at the executor's precision. Kernels add up in float64 and round when they store. */
export type Make = (shape: Shape) => FloatTensor

export interface FloatTensor extends Tensor {
  readonly data: FloatArray
}

export function maker(precision: 'float32' | 'float64'): Make {
  return (shape) => {
    const size = sizeOf(shape)
    return { shape, data: precision === 'float32' ? new Float32Array(size) : new Float64Array(size) }
  }
}

/** How far apart neighbours along each axis are, row-major. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride
    stride *= shape[axis]
  }
  return strides
}

/** The strides by which a tensor of `shape` is read as if it had the shape `out`: 0 along the axes it repeats on. */
export function broadcastStrides(shape: Shape, out: Shape): number[] {
  const own = stridesOf(shape)
  const lead = out.length - shape.length
  return out.map((_, axis) => (axis < lead || shape[axis - lead] === 1 ? 0 : own[axis - lead]))
}

/** Calls `visit` with the place in each of several strided tensors, for every index of `shape` in row-major order. */
export function walk(
  shape: Shape,
  strides: readonly (readonly number[])[],
  visit: (at: readonly number[]) => void,
): void {
  const index = shape.map(() => 0)
  const at = strides.map(() => 0)
  const total = sizeOf(shape)
  for (let n = 0; n < total; n++) {
    visit(at)
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis]++
      for (let t = 0; t < at.length; t++) at[t] += strides[t][axis]
      if (index[axis] < shape[axis]) break
      for (let t = 0; t < at.length; t++) at[t] -= strides[t][axis] * shape[axis]
      index[axis] = 0
    }
  }
}
