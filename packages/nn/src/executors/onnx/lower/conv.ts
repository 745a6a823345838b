import type { Conv2d, Conv2dInputGrad, Conv2dWeightGrad } from '../../../graph/ops.js'
import type { Rule } from '../lowering.js'
import { blockedConv, blockedInputGrad, blockedWeightGrad } from './conv-blocked.js'
import { phasedConv, phasedInputGrad, phasedWeightGrad } from './conv-phased.js'

/** Each convolution and its gradients: in the layout that suits its shape, else with the standard operators. */

export const conv2d: Rule<Conv2d> = (low, node) => {
  const { op, inputs, outputs } = node
  if (low.phases.has(outputs[0])) return phasedConv(low, node)
  if (blockedConv(low, node)) return
  const [ph, pw] = op.padding
  const kernel = low.shape(inputs[1]).slice(2)
  const attributes = { kernel_shape: kernel, strides: op.stride, pads: [ph, pw, ph, pw] }
  const names = inputs.map((id) => low.plain(id))
  low.put(outputs[0], 'plain', low.emit.op('Conv', names, attributes))
}

export const conv2dInputGrad: Rule<Conv2dInputGrad> = (low, node) => {
  const { op, inputs, outputs } = node
  if (low.only(inputs[0], 'phased')) return phasedInputGrad(low, node)
  if (blockedInputGrad(low, node)) return
  const [dy, weight] = inputs.map((id) => low.shape(id))
  const [ph, pw] = op.padding
  // Rows at the end that no window reached.
  const left = [0, 1].map(
    (axis) =>
      op.size[axis] - ((dy[axis + 2] - 1) * op.stride[axis] + weight[axis + 2] - 2 * op.padding[axis]),
  )
  const attributes = { kernel_shape: weight.slice(2), strides: op.stride, pads: [ph, pw, ph, pw] }
  const names = inputs.map((id) => low.plain(id))
  low.put(outputs[0], 'plain', low.emit.op('ConvTranspose', names, { ...attributes, output_padding: left }))
}

/** The samples take the part of the channels: each channel of x against each of dy, as a kernel of dy's size. */
export const conv2dWeightGrad: Rule<Conv2dWeightGrad> = (low, node) => {
  const { op, inputs, outputs } = node
  const [x, dy] = inputs
  if (low.only(dy, 'phased')) return phasedWeightGrad(low, node)
  if (blockedWeightGrad(low, node)) return
  const { emit } = low
  const images = emit.transpose(low.plain(x), [1, 0, 2, 3])
  const kernels = emit.transpose(low.plain(dy), [1, 0, 2, 3])
  const [, , h, w] = low.shape(dy)
  const ends = [0, 1].map(
    (axis) =>
      (low.shape(dy)[axis + 2] - 1) * op.stride[axis] +
      op.kernel[axis] -
      low.shape(x)[axis + 2] -
      op.padding[axis],
  )
  const pads = [...op.padding, ...ends.map((end) => Math.max(end, 0))]
  let out = emit.op('Conv', [images, kernels], { kernel_shape: [h, w], dilations: op.stride, pads })
  if (ends.some((end) => end < 0)) {
    out = emit.op('Slice', [out, emit.ints([0, 0]), emit.ints(op.kernel), emit.ints([2, 3])])
  }
  low.put(outputs[0], 'plain', emit.transpose(out, [1, 0, 2, 3]))
}
