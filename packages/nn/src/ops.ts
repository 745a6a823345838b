/**
 * `@rlvi/nn/ops`: the primitive operations as functions of values, with numpy's names. A subpath of its own, since `mean`
 * and `softmax` of a graph's tensors are others than those of the core.
 */
export type { Op } from './graph/ops.js'
export * from './graph/values.js'
