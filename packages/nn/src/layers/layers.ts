import { RlviError } from 'rlvi'
import type { Value } from '../graph/builder.js'
import { showShape, sizeOf } from '../graph/graph.js'
import type { Pair } from '../graph/ops.js'
import { matmul, mean, mul, node, reshape } from '../graph/values.js'

/**
 * Layers are plain functions: a tensor in, a tensor out. Those with parameters take a name, which with the open scopes
 * gives the parameters theirs (`conv1.weight`), as in PyTorch. Initial values are PyTorch's defaults too.
 */

/** A side, or (height, width). */
export type Size = number | Pair

const pairOf = (size: Size): Pair => (typeof size === 'number' ? [size, size] : size)

/** The size of a convolution. */
export interface ConvOptions {
  readonly channels: number
  readonly kernel: Size
  /** Default 1. */
  readonly stride?: Size
  /** Zeros on each side. Default 0. */
  readonly padding?: Size
  /** Default true. */
  readonly bias?: boolean
}

/** Convolution of images [N, C, H, W] to [N, channels, …]. */
export function conv2d(x: Value, name: string, options: ConvOptions): Value {
  const layer = x.graph.path(name)
  if (x.shape.length !== 4) throw new RlviError(layer, 'x must be [N, C, H, W]', showShape(x.shape))
  const [kh, kw] = pairOf(options.kernel)
  const inputs = x.shape[1] * kh * kw
  return x.graph.inLayer(layer, () => {
    const weight = weights(x, `${layer}.weight`, [options.channels, x.shape[1], kh, kw], inputs)
    const bias = options.bias === false ? [] : [weights(x, `${layer}.bias`, [options.channels], inputs)]
    const op = {
      kind: 'conv2d',
      stride: pairOf(options.stride ?? 1),
      padding: pairOf(options.padding ?? 0),
    } as const
    return node(op, x, weight, ...bias)
  })
}

/** Settings of a linear layer. */
export interface LinearOptions {
  /** Default true. */
  readonly bias?: boolean
}

/** Rows [N, inputs] to [N, outputs]. */
export function linear(x: Value, name: string, outputs: number, options: LinearOptions = {}): Value {
  const layer = x.graph.path(name)
  if (x.shape.length !== 2) {
    throw new RlviError(layer, 'x must be [N, inputs]', showShape(x.shape), 'flatten it first')
  }
  const inputs = x.shape[1]
  return x.graph.inLayer(layer, () => {
    const weight = weights(x, `${layer}.weight`, [outputs, inputs], inputs)
    if (options.bias === false) return matmul(x, weight, { transposeB: true })
    return matmul(x, weight, { transposeB: true, bias: weights(x, `${layer}.bias`, [outputs], inputs) })
  })
}

/** PyTorch's default, Kaiming uniform with a = sqrt 5: uniform within 1/sqrt(inputs of one output). */
function weights(x: Value, name: string, shape: readonly number[], inputs: number): Value {
  const { graph } = x
  const init = { kind: 'uniform', bound: 1 / Math.sqrt(inputs), seed: graph.seed, key: name } as const
  return graph.variable(name, shape, 'parameter', init)
}

/** How a pooling window moves. */
export interface PoolOptions {
  /** Default: the window's size. */
  readonly stride?: Size
  /** Default 0. */
  readonly padding?: Size
}

/** Maximum of each window. */
export function maxPool(x: Value, kernel: Size, options: PoolOptions = {}): Value {
  return node({ kind: 'maxPool', ...pooling(kernel, options) }, x)
}

/** Mean of each window; padding counts as zeros. */
export function avgPool(x: Value, kernel: Size, options: PoolOptions = {}): Value {
  return node({ kind: 'avgPool', ...pooling(kernel, options) }, x)
}

function pooling(kernel: Size, options: PoolOptions): { kernel: Pair; stride: Pair; padding: Pair } {
  return {
    kernel: pairOf(kernel),
    stride: pairOf(options.stride ?? kernel),
    padding: pairOf(options.padding ?? 0),
  }
}

/** [N, C, H, W] to [N, C]: the mean of each channel. */
export function globalMean(x: Value): Value {
  return mean(x, { axes: [2, 3] })
}

/** [N, ...] to [N, all the rest]. */
export function flatten(x: Value): Value {
  return reshape(x, [x.shape[0], sizeOf(x.shape.slice(1))])
}

/** What is dropped, and when. */
export interface DropoutOptions {
  /** The probability of leaving an entry out. */
  readonly rate: number
  /** Leave out single entries (default), or whole channels of [N, C, ...]. */
  readonly by?: 'element' | 'channel'
  /** Also when evaluating, as the released code of USDNL does. Default false. */
  readonly always?: boolean
}

/**
 * Leaves entries out at random and scales up the others, in training only. The mask is a feed (`<name>.mask`, 0 or 1)
 * that the graph marks as such, so every executor gets the same one.
 */
export function dropout(x: Value, name: string, options: DropoutOptions): Value {
  const { graph } = x
  const layer = graph.path(name)
  const keep = 1 - options.rate
  if (!(keep > 0 && keep <= 1))
    throw new RlviError(layer, 'the rate must be at least 0 and below 1', options.rate)
  if (options.rate === 0 || (graph.mode === 'evaluate' && !options.always)) return x
  const byChannel = options.by === 'channel'
  const shape = x.shape.map((length, axis) => (byChannel && axis > 1 ? 1 : length))
  return graph.inLayer(layer, () =>
    mul(x, mul(graph.feed(`${layer}.mask`, shape, { dropout: { keep } }), 1 / keep)),
  )
}
