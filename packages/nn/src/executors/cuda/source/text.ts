import { type Shape, sizeOf } from '../../../graph/graph.js'
import type { Unary } from '../../../graph/ops.js'
import { type Layout, rows } from '../plan/layout.js'

/** Element-wise functions of one number. */
export const unary: Readonly<Record<Exclude<Unary['kind'], 'stopGradient'>, (x: string) => string>> = {
  neg: (x) => `-${x}`,
  exp: (x) => `expf(${x})`,
  log: (x) => `logf(${x})`,
  sqrt: (x) => `sqrtf(${x})`,
  abs: (x) => `fabsf(${x})`,
  relu: (x) => `relu_(${x})`,
  sigmoid: (x) => `1.f / (1.f + expf(-${x}))`,
  tanh: (x) => `tanhf(${x})`,
}

/** A number as C has it, in float32. */
export function literal(value: number): string {
  const rounded = Math.fround(value)
  if (Number.isNaN(rounded)) return 'nan_()'
  if (!Number.isFinite(rounded)) return `__int_as_float(${rounded > 0 ? '0x7f800000' : '0xff800000'})`
  const text = Object.is(rounded, -0) ? '-0' : String(rounded)
  const real = /[.e]/.test(text) ? text : `${text}.`
  return rounded < 0 || Object.is(rounded, -0) ? `(${real}f)` : `${real}f`
}

/** Where an entry lies. */
export function offsetOf({ strides, shape }: Layout, index: readonly string[]): string {
  const terms = index.flatMap((name, axis) => {
    if (name === '0' || shape[axis] === 1) return []
    return strides[axis] === 1 ? [name] : [`${name} * ${strides[axis]}`]
  })
  return terms.length === 0 ? '0' : terms.length === 1 ? terms[0] : `(${terms.join(' + ')})`
}

/** The index by axes of the entry with a number in row-major order. */
export function unravel(shape: Shape, linear: string): readonly string[] {
  const { strides } = rows(shape)
  return shape.map((length, axis) => {
    if (length === 1) return '0'
    const divided = strides[axis] === 1 ? linear : `(${linear} / ${strides[axis]})`
    return axis === 0 || strides[axis] * length === sizeOf(shape) ? divided : `(${divided} % ${length})`
  })
}

/** The index into an input that is repeated along axes of length 1, and along those that it does not have. */
export function broadcastIndex(shape: Shape, index: readonly string[]): readonly string[] {
  const lead = index.length - shape.length
  return shape.map((length, axis) => (length === 1 ? '0' : index[lead + axis]))
}

/** An index with the name of one axis replaced. */
export function replaced(index: readonly string[], axis: number, name: string): readonly string[] {
  return index.map((old, i) => (i === axis ? name : old))
}
