import type { Value } from './builder.js'
import type { Shape } from './graph.js'
import type { Op } from './ops.js'

/** The primitive operations as functions of values, with plain numbers taken as constants where they make sense. */

/** A tensor, or a number that is taken as a constant. */
export type Operand = Value | number

/** One node with one output. */
export function node(op: Op, ...inputs: readonly Value[]): Value {
  return inputs[0].graph.apply(op, inputs)[0]
}

type BinaryKind = 'add' | 'sub' | 'mul' | 'div' | 'maximum' | 'minimum' | 'greater' | 'greaterEqual' | 'equal'

function binary(kind: BinaryKind): (a: Operand, b: Operand) => Value {
  return (a, b) => {
    const graph = (typeof a === 'number' ? (b as Value) : a).graph
    return node({ kind }, asValue(a, graph), asValue(b, graph))
  }
}

function asValue(x: Operand, graph: Value['graph']): Value {
  return typeof x === 'number' ? graph.scalar(x) : x
}

type BinaryFunction = (a: Operand, b: Operand) => Value
/** a + b. */
export const add: BinaryFunction = binary('add')
/** a - b. */
export const sub: BinaryFunction = binary('sub')
/** a b, entry for entry. */
export const mul: BinaryFunction = binary('mul')
/** a / b, entry for entry. */
export const div: BinaryFunction = binary('div')
/** The larger of a and b. */
export const maximum: BinaryFunction = binary('maximum')
/** The smaller of a and b. */
export const minimum: BinaryFunction = binary('minimum')
/** 1 where a > b, else 0. */
export const greater: BinaryFunction = binary('greater')
/** 1 where a >= b, else 0. */
export const greaterEqual: BinaryFunction = binary('greaterEqual')
/** 1 where a = b, else 0. */
export const equal: BinaryFunction = binary('equal')

/** -x. */
export const neg = (x: Value): Value => node({ kind: 'neg' }, x)
/** e to the power of x. */
export const exp = (x: Value): Value => node({ kind: 'exp' }, x)
/** The natural logarithm. */
export const log = (x: Value): Value => node({ kind: 'log' }, x)
/** The square root. */
export const sqrt = (x: Value): Value => node({ kind: 'sqrt' }, x)
/** |x|. */
export const abs = (x: Value): Value => node({ kind: 'abs' }, x)
/** max(x, 0). */
export const relu = (x: Value): Value => node({ kind: 'relu' }, x)
/** 1 / (1 + exp(-x)). */
export const sigmoid = (x: Value): Value => node({ kind: 'sigmoid' }, x)
/** The hyperbolic tangent. */
export const tanh = (x: Value): Value => node({ kind: 'tanh' }, x)
/** x, taken as a constant by differentiation. */
export const stopGradient = (x: Value): Value => node({ kind: 'stopGradient' }, x)

/** a where the mask is not 0, b elsewhere. */
export function where(mask: Value, a: Operand, b: Operand): Value {
  return node({ kind: 'where' }, mask, asValue(a, mask.graph), asValue(b, mask.graph))
}

/** Which axes are reduced, and whether they stay. */
export interface ReduceOptions {
  /** Default: all. Negative ones count from the end. */
  readonly axes?: readonly number[]
  readonly keepDims?: boolean
}

function reduce(kind: 'reduceSum' | 'reduceMean' | 'reduceMax', x: Value, options: ReduceOptions): Value {
  const axes = (options.axes ?? x.shape.map((_, axis) => axis)).map((axis) =>
    axis < 0 ? axis + x.shape.length : axis,
  )
  if (axes.length === 0) return x
  return node({ kind, axes: axes.toSorted((a, b) => a - b), keepDims: options.keepDims ?? false }, x)
}

/** The sum over axes. */
export const sum = (x: Value, options: ReduceOptions = {}): Value => reduce('reduceSum', x, options)
/** The mean over axes. */
export const mean = (x: Value, options: ReduceOptions = {}): Value => reduce('reduceMean', x, options)
/** The maximum over axes. */
export const max = (x: Value, options: ReduceOptions = {}): Value => reduce('reduceMax', x, options)

/** The same numbers in the same row-major order, in another shape. */
export const reshape = (x: Value, shape: Shape): Value => node({ kind: 'reshape', shape }, x)
/** x repeated to a shape that it broadcasts to. */
export const broadcastTo = (x: Value, shape: Shape): Value => node({ kind: 'broadcastTo', shape }, x)
/** The axes in another order: axis i of the result is axis `order[i]` of x. */
export const transpose = (x: Value, order: readonly number[]): Value => node({ kind: 'transpose', order }, x)
/** Tensors one after the other along an axis. */
export const concat = (parts: readonly Value[], axis = 0): Value => node({ kind: 'concat', axis }, ...parts)
/** Entries `start` to `end` (without it) along an axis. */
export const slice = (x: Value, axis: number, start: number, end: number): Value =>
  node({ kind: 'slice', axis, start, end }, x)

/** The listed rows of a table. */
export const take = (table: Value, rows: Value): Value => node({ kind: 'take' }, table, rows)
/** Labels [n] as rows [n, classes] of 0 and 1. */
export const oneHot = (labels: Value, classes: number): Value => node({ kind: 'oneHot', classes }, labels)
/** A mask of the k smallest entries. */
export const smallest = (x: Value, k: Operand): Value => node({ kind: 'smallest' }, x, asValue(k, x.graph))

/** Factors that are taken transposed, and what is added. */
export interface MatMulOptions {
  readonly transposeA?: boolean
  readonly transposeB?: boolean
  readonly bias?: Value
}

/** The product of two matrices, plus a bias. */
export function matmul(a: Value, b: Value, options: MatMulOptions = {}): Value {
  const op = {
    kind: 'matmul',
    transposeA: options.transposeA ?? false,
    transposeB: options.transposeB ?? false,
  } as const
  return options.bias ? node(op, a, b, options.bias) : node(op, a, b)
}

/** The logarithm of `softmax`, computed without overflow. */
export const logSoftmax = (logits: Value): Value => node({ kind: 'logSoftmax' }, logits)
/** Logits [n, classes] to probabilities. */
export const softmax = (logits: Value): Value => exp(logSoftmax(logits))

/** Per-sample losses, and the log-probabilities that come with them. */
export function crossEntropy(
  logits: Value,
  labels: Value,
): { readonly losses: Value; readonly logProbabilities: Value } {
  const [losses, logProbabilities] = logits.graph.apply({ kind: 'crossEntropy' }, [logits, labels])
  return { losses, logProbabilities }
}
