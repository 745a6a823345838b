import type { Value } from '../graph/builder.js'
import { sameShape } from '../graph/graph.js'
import type { Op, OpOf } from '../graph/ops.js'
import { reshape, sum } from '../graph/values.js'

/** What a rule may use: a node, and the gradients by its outputs (none where the scalar does not depend on one). */
export interface Backward<O extends Op = Op> {
  readonly op: O
  readonly inputs: readonly Value[]
  readonly outputs: readonly Value[]
  readonly gradients: readonly (Value | undefined)[]
  /** Which inputs' gradients are asked for; the others may be left out. */
  readonly wanted: readonly boolean[]
}

/** The gradients by the inputs, from those by the outputs. */
export type Rule<O extends Op = Op> = (node: Backward<O>) => readonly (Value | undefined)[]

export type Rules = { readonly [K in Op['kind']]?: Rule<OpOf<K>> }

/** Adds up a gradient over the axes on which `like` was repeated. */
export function unbroadcast(gradient: Value, like: Value): Value {
  if (sameShape(gradient.shape, like.shape)) return gradient
  const lead = gradient.shape.length - like.shape.length
  const axes = gradient.shape
    .map((_, axis) => axis)
    .filter((axis) => axis < lead || (like.shape[axis - lead] === 1 && gradient.shape[axis] !== 1))
  const total = sum(gradient, { axes })
  return sameShape(total.shape, like.shape) ? total : reshape(total, like.shape)
}
