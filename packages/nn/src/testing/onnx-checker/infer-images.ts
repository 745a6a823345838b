import type { Dimension, OnnxNode } from '../../onnx/schema.js'
import { agree, attribute, type Inference, type Inputs, type Known, required, show } from './known.js'

/** Operators on images [N, C, H, W], standard ones and ONNX Runtime's blocked ones, whose shapes follow the same rules. */
export function inferImages(node: OnnxNode): Inference | undefined {
  return RULES[node.op]
}

interface Window {
  readonly strides: readonly number[]
  readonly dilations: readonly number[]
  readonly pads: readonly number[]
}

function window(node: OnnxNode): Window {
  const pads = attribute(node, 'pads', 'ints') ?? [0, 0, 0, 0]
  if (pads.some((pad) => pad < 0)) throw new Error(`pads must not be negative, are ${show(pads)}`)
  return {
    strides: attribute(node, 'strides', 'ints') ?? [1, 1],
    dilations: attribute(node, 'dilations', 'ints') ?? [1, 1],
    pads,
  }
}

function images(inputs: Inputs, i = 0): readonly Dimension[] {
  const { shape } = required(inputs, i)
  if (shape.length !== 4) throw new Error(`input ${i + 1} must be [N, C, H, W], is ${show(shape)}`)
  return shape
}

/** The sizes of a window operation's result. */
function slid(shape: readonly Dimension[], kernel: readonly Dimension[], of: Window): Dimension[] {
  return [0, 1].map((axis) => {
    const [length, reach] = [shape[axis + 2], kernel[axis]]
    if (typeof length === 'string' || typeof reach === 'string') return 'any'
    const padded = length + of.pads[axis] + of.pads[axis + 2]
    const span = (reach - 1) * of.dilations[axis] + 1
    if (span > padded) throw new Error(`a window of ${span} does not fit into ${padded}`)
    return Math.floor((padded - span) / of.strides[axis]) + 1
  })
}

const conv: Inference = (inputs) => {
  const [x, kernels] = [images(inputs), images(inputs, 1)]
  const group = attribute(inputs.node, 'group', 'int') ?? 1
  const [channels, own] = [x[1], kernels[1]]
  if (typeof channels === 'number' && typeof own === 'number' && channels !== own * group) {
    throw new Error(`${channels} channels of ${show(x)} are not ${group} x ${own} of ${show(kernels)}`)
  }
  const given = attribute(inputs.node, 'kernel_shape', 'ints')
  if (given && !given.every((length, axis) => agree(length, kernels[axis + 2]))) {
    throw new Error(`kernel_shape ${show(given)} is not that of ${show(kernels)}`)
  }
  const bias = inputs.known[2]
  if (bias && !(bias.shape.length === 1 && agree(bias.shape[0], kernels[0]))) {
    throw new Error(`the bias must be [${kernels[0]}], is ${show(bias.shape)}`)
  }
  const result: Known = {
    type: 'float32',
    shape: [x[0], kernels[0], ...slid(x, kernels.slice(2), window(inputs.node))],
  }
  const sum = inputs.known[3]
  if (sum && !sum.shape.every((length, axis) => agree(length, result.shape[axis]))) {
    throw new Error(`what is added must be ${show(result.shape)}, is ${show(sum.shape)}`)
  }
  return [result]
}

const convTranspose: Inference = (inputs) => {
  const [x, kernels] = [images(inputs), images(inputs, 1)]
  if (!agree(x[1], kernels[0])) throw new Error(`${show(x)} has other channels than ${show(kernels)}`)
  const { strides, pads } = window(inputs.node)
  const extra = attribute(inputs.node, 'output_padding', 'ints') ?? [0, 0]
  const sides = [0, 1].map((axis) => {
    const [length, reach] = [x[axis + 2], kernels[axis + 2]]
    if (typeof length === 'string' || typeof reach === 'string') return 'any'
    return (length - 1) * strides[axis] + reach + extra[axis] - pads[axis] - pads[axis + 2]
  })
  return [{ type: 'float32', shape: [x[0], kernels[1], ...sides] }]
}

const pool: Inference = (inputs) => {
  const x = images(inputs)
  const kernel = attribute(inputs.node, 'kernel_shape', 'ints')
  if (kernel === undefined) throw new Error('needs kernel_shape')
  const shape = [x[0], x[1], ...slid(x, kernel, window(inputs.node))]
  return [
    { type: 'float32', shape },
    { type: 'int64', shape },
  ]
}

const globalPool: Inference = (inputs) => {
  const [n, c] = images(inputs)
  return [{ type: 'float32', shape: [n, c, 1, 1] }]
}

const batchNorm: Inference = (inputs) => {
  const x = required(inputs, 0)
  for (let i = 1; i < 5; i++) {
    const { shape } = required(inputs, i)
    if (shape.length !== 1 || !agree(shape[0], x.shape[1])) {
      throw new Error(`input ${i + 1} must be [${x.shape[1]}], is ${show(shape)}`)
    }
  }
  return [x]
}

/** Channels are filled up to whole blocks; those of 8 or more that this package reorders are whole already. */
const reorderInput: Inference = (inputs) => {
  const [n, c, ...sides] = images(inputs)
  return [{ type: 'float32', shape: [n, Number(c) % 8 === 0 ? c : 'block', ...sides] }]
}

const reorderOutput: Inference = (inputs) => {
  const [n, , ...sides] = images(inputs)
  const channels = attribute(inputs.node, 'channels', 'int')
  if (channels === undefined) throw new Error('needs channels')
  return [{ type: 'float32', shape: [n, channels, ...sides] }]
}

const RULES: Readonly<Record<string, Inference | undefined>> = {
  Conv: conv,
  ConvTranspose: convTranspose,
  MaxPool: pool,
  AveragePool: pool,
  GlobalAveragePool: globalPool,
  BatchNormalization: batchNorm,
  ReorderInput: reorderInput,
  ReorderOutput: reorderOutput,
}
