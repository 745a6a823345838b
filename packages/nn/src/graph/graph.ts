import type { Op } from './ops.js'

/** `f32` numbers (an executor may compute in another width), `i32` for labels and row numbers. */
export type DType = 'f32' | 'i32'

/** Lengths of the axes; `[]` is a scalar. Shapes are fixed when the graph is built, the batch size included. */
export type Shape = readonly number[]

/** What is known of a tensor before it is computed. */
export interface TensorType {
  readonly shape: Shape
  readonly dtype: DType
}

/** One operation on tensors, which are named by their place in `Graph.tensors`. */
export interface Node {
  readonly op: Op
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
  /** The layer that made it, such as `layer1.0.conv1`, for messages and profiles; gradients carry it too. */
  readonly layer: string
}

/** A tensor given anew at each run. */
export interface Feed {
  readonly name: string
  readonly tensor: number
  /** A 0/1 mask to be drawn anew at each run, each entry 1 with probability `keep`; otherwise the caller's data. */
  readonly dropout?: { readonly keep: number }
}

/** A tensor that stays with the executor between runs: a parameter, the optimizer's state, a running statistic. */
export interface Variable {
  readonly name: string
  readonly tensor: number
  /** `parameter` is trained; `statistic` is kept with the model; `state` belongs to the training only; `data` is given. */
  readonly role: 'parameter' | 'statistic' | 'state' | 'data'
  readonly init: Init
}

/** How a variable starts: data rather than numbers, so that a graph stays small until it is run. */
export type Init =
  | { readonly kind: 'fill'; readonly value: number }
  /** Uniform on [-bound, bound]; the numbers depend on the seed and the key only, not on what else is in the graph. */
  | { readonly kind: 'uniform'; readonly bound: number; readonly seed: number; readonly key: string }
  | { readonly kind: 'values'; readonly values: ArrayLike<number> }

/** After a run the variable takes the tensor's value. All nodes see the value from before the run. */
export interface Update {
  readonly variable: string
  readonly tensor: number
}

/** A tensor that a run returns. */
export interface Fetch {
  readonly name: string
  readonly tensor: number
}

/**
 * A computation as plain data. The nodes stand in an order in which they can be computed, each tensor is a feed, a
 * variable or the output of exactly one node, and nothing is in it that no fetch or update needs.
 */
export interface Graph {
  readonly tensors: readonly TensorType[]
  readonly nodes: readonly Node[]
  readonly feeds: readonly Feed[]
  readonly variables: readonly Variable[]
  readonly updates: readonly Update[]
  readonly fetches: readonly Fetch[]
}

/** The number of entries of a shape. */
export function sizeOf(shape: Shape): number {
  return shape.reduce((product, length) => product * length, 1)
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((length, axis) => length === b[axis])
}

/** A shape as messages show it: `[32, 1, 28, 28]`. */
export function showShape(shape: Shape): string {
  return `[${shape.join(', ')}]`
}
