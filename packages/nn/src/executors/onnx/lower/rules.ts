import type { Graph, Node } from '../../../graph/graph.js'
import type { Op, OpOf } from '../../../graph/ops.js'
import type { Emitter } from '../emitter.js'
import { Lowering, type Rule } from '../lowering.js'
import { batchNormEval, batchNormGrad, batchNormTrain } from './batch-norm.js'
import { conv2d, conv2dInputGrad, conv2dWeightGrad } from './conv.js'
import { phasedTensors } from './conv-phased.js'
import { binary, reluGrad, unary, where } from './elementwise.js'
import { crossEntropy, crossEntropyGrad, logSoftmax, matmul } from './losses.js'
import { avgPool, avgPoolGrad, maxPool, maxPoolGrad } from './pool.js'
import {
  broadcastTo,
  concat,
  constant,
  oneHot,
  reduce,
  reshape,
  slice,
  smallest,
  take,
  transpose,
} from './shapes.js'
import { adamStep, sgdStep } from './steps.js'

const RULES: { readonly [K in Op['kind']]: Rule<OpOf<K>> } = {
  constant,
  neg: unary,
  exp: unary,
  log: unary,
  sqrt: unary,
  abs: unary,
  relu: unary,
  sigmoid: unary,
  tanh: unary,
  stopGradient: unary,
  add: binary,
  sub: binary,
  mul: binary,
  div: binary,
  maximum: binary,
  minimum: binary,
  greater: binary,
  greaterEqual: binary,
  equal: binary,
  where,
  reduceSum: reduce,
  reduceMean: reduce,
  reduceMax: reduce,
  reshape,
  broadcastTo,
  transpose,
  concat,
  slice,
  take,
  oneHot,
  smallest,
  matmul,
  conv2d,
  conv2dInputGrad,
  conv2dWeightGrad,
  reluGrad,
  maxPool,
  maxPoolGrad,
  avgPool,
  avgPoolGrad,
  batchNormTrain,
  batchNormGrad,
  batchNormEval,
  logSoftmax,
  crossEntropy,
  crossEntropyGrad,
  sgdStep,
  adamStep,
}

/** What a graph may be translated into. */
export interface Layouts {
  /** Channels in a block; 0 for none. */
  readonly block: number
  readonly phases: boolean
}

/** Standard operators only, that every ONNX runtime has. */
export const STANDARD: Layouts = { block: 0, phases: false }

/**
 * Translates the nodes of a graph. `names` gives the names of the feeds and variables, by tensor; the result finds the
 * name of any other.
 */
export function lower(
  graph: Graph,
  emit: Emitter,
  names: ReadonlyMap<number, string>,
  layouts: Layouts,
): (tensor: number) => string {
  const low = new Lowering(graph, emit, layouts.block, layouts.phases ? phasedTensors(graph) : new Set())
  for (const [tensor, name] of names) low.put(tensor, 'plain', name)
  for (const node of graph.nodes) {
    const rule = RULES[node.op.kind] as Rule<Op>
    rule(low, node as Node)
  }
  return (tensor) => low.plain(tensor)
}
