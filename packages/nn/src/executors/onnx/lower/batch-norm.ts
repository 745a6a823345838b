import type { BatchNormEval, BatchNormGrad, BatchNormTrain } from '../../../graph/ops.js'
import { BLOCKED } from '../emitter.js'
import type { Lowering, Rule } from '../lowering.js'

/** Per channel [C], as it must look beside [N, C, ...]. */
function beside(low: Lowering, perChannel: string, shape: readonly number[]): string {
  return low.emit.reshape(
    perChannel,
    shape.slice(1).map((length, axis) => (axis === 0 ? length : 1)),
  )
}

const others = (shape: readonly number[]): number[] =>
  shape.map((_, axis) => axis).filter((axis) => axis !== 1)

/** 1 / sqrt(variance + epsilon). */
function inverse(low: Lowering, variance: string, epsilon: number): string {
  const { emit } = low
  return emit.op('Reciprocal', [emit.op('Sqrt', [emit.op('Add', [variance, emit.real(epsilon)])])])
}

/** The mean over samples and places of each channel of a blocked tensor. */
function channelMeans(low: Lowering, x: string, [n, c]: readonly number[]): string {
  const { emit } = low
  const perImage = emit.op('GlobalAveragePool', [x], {}, BLOCKED)
  return emit.reduce('ReduceMean', emit.reshape(perImage, [n, c]), [0])
}

/** The mean of a product of two blocked tensors by channel, in one pass: one is taken as the other's kernels. */
function channelProducts(low: Lowering, a: string, b: string, [n, c, h, w]: readonly number[]): string {
  const { emit } = low
  const image = emit.reshape(a, [1, n * c, h, w])
  const kernels = emit.reshape(b, [n * c, 1, h, w])
  const sums = emit.op('Conv', [image, kernels], { kernel_shape: [h, w], group: n * c }, BLOCKED)
  const mean = emit.reduce('ReduceMean', emit.reshape(sums, [n, c]), [0])
  return emit.op('Mul', [mean, emit.real(1 / (h * w))])
}

export const batchNormTrain: Rule<BatchNormTrain> = (low, { op, inputs, outputs }) => {
  const { emit } = low
  const [x, scale, bias] = inputs
  const [y, mean, variance] = outputs
  const shape = low.shape(x)
  if (low.only(x, 'blocked')) {
    const images = low.blocked(x)
    const centre = channelMeans(low, images, shape)
    const squares = channelProducts(low, images, images, shape)
    // One pass fewer than the mean of squared gaps; exact enough while a mean is not far more than ten times the spread.
    const gap = emit.op('Sub', [squares, emit.op('Mul', [centre, centre])])
    const around = emit.op('Max', [gap, emit.real(0)])
    const slope = emit.op('Mul', [low.plain(scale), inverse(low, around, op.epsilon)])
    const shift = emit.op('Sub', [low.plain(bias), emit.op('Mul', [centre, slope])])
    low.defer(y, { x: images, slope, shift })
    low.put(mean, 'plain', centre)
    low.put(variance, 'plain', around)
    return
  }
  const axes = others(shape)
  const plain = low.plain(x)
  const centre = emit.reduce('ReduceMean', plain, axes)
  const gaps = emit.op('Sub', [plain, beside(low, centre, shape)])
  const around = emit.reduce('ReduceMean', emit.op('Mul', [gaps, gaps]), axes)
  const slope = emit.op('Mul', [low.plain(scale), inverse(low, around, op.epsilon)])
  const scaled = emit.op('Mul', [gaps, beside(low, slope, shape)])
  low.put(y, 'plain', emit.op('Add', [scaled, beside(low, low.plain(bias), shape)]))
  low.put(mean, 'plain', centre)
  low.put(variance, 'plain', around)
}

/**
 * With m values per channel: dbias = sum dy, dscale = sum dy (x - mean) / s, and
 * dx = scale / s (dy - dbias / m - (x - mean) / s dscale / m), which by channel is a dy + b x + c.
 */
export const batchNormGrad: Rule<BatchNormGrad> = (low, { op, inputs, outputs }) => {
  const { emit } = low
  const [dy, x] = inputs
  const [scale, mean, variance] = inputs.slice(2).map((id) => low.plain(id))
  const [dx, dscale, dbias] = outputs
  const shape = low.shape(x)
  const count = shape.reduce((product, length) => product * length, 1) / shape[1]
  const blocked = low.has(x, 'blocked') && low.canBlock(shape)
  const times = (...factors: string[]): string => factors.reduce((a, b) => emit.op('Mul', [a, b]))

  let dyMean: string
  let covariance: string
  if (blocked) {
    dyMean = channelMeans(low, low.blocked(dy), shape)
    const product = channelProducts(low, low.blocked(dy), low.blocked(x), shape)
    covariance = emit.op('Sub', [product, times(dyMean, mean)])
  } else {
    dyMean = emit.reduce('ReduceMean', low.plain(dy), others(shape))
    const gaps = emit.op('Sub', [low.plain(x), beside(low, mean, shape)])
    covariance = emit.reduce('ReduceMean', emit.op('Mul', [low.plain(dy), gaps]), others(shape))
  }
  const s = inverse(low, variance, op.epsilon)
  low.put(dbias, 'plain', times(dyMean, emit.real(count)))
  low.put(dscale, 'plain', times(covariance, s, emit.real(count)))
  const a = times(scale, s)
  const b = emit.op('Neg', [times(a, s, s, covariance)])
  const c = emit.op('Neg', [emit.op('Add', [times(a, dyMean), times(b, mean)])])
  if (blocked) {
    const shifted = low.write({ x: low.blocked(x), slope: b, shift: c }, shape)
    const kernels = emit.reshape(a, [shape[1], 1, 1, 1])
    const attributes = { kernel_shape: [1, 1], group: shape[1] }
    low.put(dx, 'blocked', emit.op('Conv', [low.blocked(dy), kernels, '', shifted], attributes, BLOCKED))
    return
  }
  const parts = [
    emit.op('Mul', [low.plain(dy), beside(low, a, shape)]),
    emit.op('Mul', [low.plain(x), beside(low, b, shape)]),
    beside(low, c, shape),
  ]
  low.put(dx, 'plain', emit.op('Sum', parts))
}

export const batchNormEval: Rule<BatchNormEval> = (low, { op, inputs, outputs: [y] }) => {
  const [x] = inputs
  const { emit } = low
  const [scale, bias, mean, variance] = inputs.slice(1).map((id) => low.plain(id))
  if (low.only(x, 'blocked')) {
    const slope = emit.op('Mul', [scale, inverse(low, variance, op.epsilon)])
    const shift = emit.op('Sub', [bias, emit.op('Mul', [mean, slope])])
    low.defer(y, { x: low.blocked(x), slope, shift })
    return
  }
  const epsilon = { kind: 'float', value: op.epsilon } as const
  const inputsOf = [low.plain(x), scale, bias, mean, variance]
  low.put(y, 'plain', emit.op('BatchNormalization', inputsOf, { epsilon }))
}
