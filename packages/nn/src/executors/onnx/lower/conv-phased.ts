import type { Graph, Node } from '../../../graph/graph.js'
import type { Conv2d, Conv2dInputGrad, Conv2dWeightGrad, Pair, Window } from '../../../graph/ops.js'
import type { Lowering } from '../lowering.js'

/**
 * A convolution before a 2 x 2 pooling, computed for the four places of each pooling window at once: twice the stride,
 * four times the channels, and kernels that are larger by a stride and hold the true one in one of four corners. With few
 * channels this is about twice as fast as convolution and pooling by themselves, which then only shuffle memory.
 */

/** Above this many channels the larger kernels cost more than is gained. */
const FEW_CHANNELS = 32

/** The results of convolutions, and relus of them, that are pooled and so are better kept in phases. */
export function phasedTensors(graph: Graph): Set<number> {
  const found = new Set<number>()
  const pooled = new Set<number>()
  for (const { op, inputs } of graph.nodes) {
    if (op.kind !== 'maxPool') continue
    if (`${op.kernel};${op.stride};${op.padding}` === '2,2;2,2;0,0') pooled.add(inputs[0])
  }
  for (const { op, inputs, outputs } of graph.nodes) {
    if (op.kind === 'relu' && pooled.has(outputs[0])) pooled.add(inputs[0])
  }
  for (const { op, inputs, outputs } of graph.nodes) {
    if (op.kind !== 'conv2d' || !pooled.has(outputs[0])) continue
    const [, c, h, w] = graph.tensors[outputs[0]].shape
    if (c > FEW_CHANNELS || h % 2 > 0 || w % 2 > 0) continue
    const [x, weight] = inputs.map((id) => graph.tensors[id].shape)
    const ends = [0, 1].map((axis) => endPad(op, axis, x, [h, w], [weight[2], weight[3]]))
    if (ends.every((end) => end >= 0)) found.add(outputs[0])
  }
  return found
}

/** Zeros after the last row so that the windows of four places end exactly there. */
function endPad(op: Window, axis: number, x: readonly number[], size: Pair, kernel: Pair): number {
  return (size[axis] - 1) * op.stride[axis] + kernel[axis] - x[axis + 2] - op.padding[axis]
}

/** Where each entry of a kernel goes in the four larger ones: [kh kw, 4 kh' kw'] of 0 and 1. */
function spread(low: Lowering, op: Window, [kh, kw]: Pair): string {
  const [sh, sw] = op.stride
  const [lh, lw] = [kh + sh, kw + sw]
  const values = new Float32Array(kh * kw * 4 * lh * lw)
  for (let place = 0; place < 4; place++) {
    for (let i = 0; i < kh; i++) {
      for (let j = 0; j < kw; j++) {
        const to = (place * lh + i + sh * (place >> 1)) * lw + j + sw * (place & 1)
        values[(i * kw + j) * 4 * lh * lw + to] = 1
      }
    }
  }
  return low.emit.reals([kh * kw, 4 * lh * lw], values)
}

interface Sizes {
  readonly n: number
  readonly c: number
  readonly o: number
  readonly kernel: Pair
  readonly large: Pair
  readonly attributes: Readonly<Record<string, readonly number[]>>
}

function sizes(op: Window, x: readonly number[], dy: readonly number[], kernel: Pair): Sizes {
  const large = [kernel[0] + op.stride[0], kernel[1] + op.stride[1]] as const
  const ends = [0, 1].map((axis) => endPad(op, axis, x, [dy[2], dy[3]], kernel))
  const pads = [...op.padding, ...ends]
  return {
    n: x[0],
    c: x[1],
    o: dy[1],
    kernel,
    large,
    attributes: { pads, kernel_shape: large, strides: op.stride.map((s) => 2 * s) },
  }
}

function largeKernels(low: Lowering, op: Window, weight: number, { c, o, kernel, large }: Sizes): string {
  const { emit } = low
  const flat = emit.reshape(low.plain(weight), [o * c, kernel[0] * kernel[1]])
  const placed = emit.reshape(emit.op('MatMul', [flat, spread(low, op, kernel)]), [
    o,
    c,
    4,
    large[0] * large[1],
  ])
  return emit.reshape(emit.transpose(placed, [2, 0, 1, 3]), [4 * o, c, ...large])
}

export function phasedConv(low: Lowering, { op, inputs, outputs: [y] }: Node & { op: Conv2d }): void {
  const { emit } = low
  const [x, weight, bias] = inputs
  const [, , kh, kw] = low.shape(weight)
  const size = sizes(op, low.shape(x), low.shape(y), [kh, kw])
  const names = [low.plain(x), largeKernels(low, op, weight, size)]
  if (bias !== undefined)
    names.push(emit.op('Concat', new Array<string>(4).fill(low.plain(bias)), { axis: 0 }))
  low.put(y, 'phased', emit.op('Conv', names, size.attributes))
}

export function phasedInputGrad(
  low: Lowering,
  { op, inputs: [dy, weight], outputs: [dx] }: Node & { op: Conv2dInputGrad },
): void {
  const [, , kh, kw] = low.shape(weight)
  const size = sizes(op, low.shape(dx), low.shape(dy), [kh, kw])
  const names = [low.phased(dy), largeKernels(low, op, weight, size)]
  low.put(dx, 'plain', low.emit.op('ConvTranspose', names, size.attributes))
}

export function phasedWeightGrad(
  low: Lowering,
  { op, inputs: [x, dy], outputs: [dw] }: Node & { op: Conv2dWeightGrad },
): void {
  const { emit } = low
  const size = sizes(op, low.shape(x), low.shape(dy), op.kernel)
  const { c, o, large, kernel } = size
  const [, , h, w] = low.shape(dy)
  const images = emit.transpose(low.plain(x), [1, 0, 2, 3])
  const kernels = emit.transpose(low.phased(dy), [1, 0, 2, 3])
  const { pads, strides } = size.attributes
  const sums = emit.op('Conv', [images, kernels], { kernel_shape: [h / 2, w / 2], dilations: strides, pads })
  const byChannel = emit.transpose(emit.reshape(sums, [c, 4, o, large[0] * large[1]]), [2, 0, 1, 3])
  const flat = emit.reshape(byChannel, [o * c, 4 * large[0] * large[1]])
  const gathered = emit.op('Gemm', [flat, spread(low, op, kernel)], { transB: 1 })
  low.put(dw, 'plain', emit.reshape(gathered, [o, c, ...kernel]))
}
