import { type Shape, sizeOf } from '../../../graph/graph.js'
import type { Reduce } from '../../../graph/ops.js'
import { channelsLast, type Layout, rows } from '../plan/layout.js'
import type { Slot } from '../plan/slots.js'
import { Block } from './block.js'
import { columnReduce, type Scratch } from './column-reduce.js'
import { Expressions, type Program } from './expressions.js'
import { type KernelCall, kernelCall } from './kernel.js'
import { literal, unravel } from './text.js'

const combine = {
  reduceSum: (a: string, b: string) => `${a} + ${b}`,
  reduceMean: (a: string, b: string) => `${a} + ${b}`,
  reduceMax: (a: string, b: string) => `max_(${a}, ${b})`,
}

/** A few outputs of long sums are worth several blocks each. */
const LONG = 512

/**
 * Sum, mean or maximum over axes. Sums down the columns of memory go by threads side by side and in two stages; along the
 * rows a warp or a block takes one output; anything else is one thread for each output.
 */
export function reduceKernel(
  program: Program,
  op: Reduce,
  tensor: number,
  out: Slot,
  scratch: Scratch,
  inMemory: 'rows' | 'channelsLast',
): KernelCall {
  const { shape } = program.graph.tensors[tensor]
  const order = inMemory === 'channelsLast' ? [0, 2, 3, 1] : [...shape.keys()]
  const real = order.filter((axis) => shape[axis] > 1)
  const isReduced = (axis: number): boolean => op.axes.includes(axis)
  const count = op.axes.reduce((product, axis) => product * shape[axis], 1)
  const outputs = sizeOf(shape) / count
  const isPrefix = real.every((axis, i) => i === 0 || !isReduced(axis) || isReduced(real[i - 1]))
  const keptLast = real.length > 0 && !isReduced(real[real.length - 1])
  const keptAxes = real.filter((axis) => !isReduced(axis))
  if (
    op.kind !== 'reduceMax' &&
    isPrefix &&
    keptLast &&
    count >= 32 &&
    keptAxes.length === 1 &&
    isWalkable(shape, inMemory)
  ) {
    const layout = walked(shape, inMemory)
    return columnReduce(program, {
      layout,
      terms: (expressions, index, block) => [expressions.value(tensor, index, block)],
      finish: ([total], expressions, channel) => {
        const value = op.kind === 'reduceMean' ? `${total} / ${literal(count)}` : total
        return [`${expressions.pointer(out, 'write')}[${channel}] = ${value};`]
      },
      scratch,
    })
  }
  return rowReduce(program, op, tensor, out, shape, order, outputs, count)
}

/** Two-dimensional after the reduced axes are taken together: images, or a matrix. */
function isWalkable(shape: Shape, inMemory: 'rows' | 'channelsLast'): boolean {
  return inMemory === 'channelsLast' ? shape.length === 4 : shape.length === 2
}

function walked(shape: Shape, inMemory: 'rows' | 'channelsLast'): Layout {
  if (inMemory === 'rows') return rows(shape)
  return channelsLast(shape, shape[1] % 8 === 0 ? 'bf16' : 'f32')
}

function rowReduce(
  program: Program,
  op: Reduce,
  tensor: number,
  out: Slot,
  shape: Shape,
  order: readonly number[],
  outputs: number,
  count: number,
): KernelCall {
  const expressions = new Expressions(program)
  const block = new Block()
  const reduced = order.filter((axis) => op.axes.includes(axis))
  const kept = [...shape.keys()].filter((axis) => !op.axes.includes(axis))
  const index = shape.map((length, axis) => (length === 1 ? '0' : `i${axis}`))
  const outIndex = unravel(
    kept.map((axis) => shape[axis]),
    'o',
  )
  const inIndex = unravel(
    reduced.map((axis) => shape[axis]),
    'k',
  )
  const declare = (axes: readonly number[], texts: readonly string[]): string[] =>
    axes.flatMap((axis, i) => (shape[axis] === 1 ? [] : [`const int i${axis} = ${texts[i]};`]))
  const value = expressions.value(tensor, index, block)
  const start = op.kind === 'reduceMax' ? literal(Number.NEGATIVE_INFINITY) : '0.f'
  const result = op.kind === 'reduceMean' ? `v / ${literal(count)}` : 'v'
  // One thread, one warp or one block for each output.
  const team = count <= 32 || outputs >= 1 << 16 ? 1 : count <= LONG ? 32 : 256
  const threads = team === 1 ? 128 : 256
  const perBlock = threads / team
  const pointer = expressions.pointer(out, 'write')
  const body = [
    `const int o = blockIdx.x * ${perBlock} + threadIdx.x / ${team};`,
    ...(team === 256 ? [] : [`if (o >= ${outputs}) return;`]),
    ...declare(kept, outIndex),
    `float v = ${start};`,
    `for (int k = threadIdx.x % ${team}; k < ${count}; k += ${team}) {`,
    ...declare(reduced, inIndex),
    ...block.lines,
    `v = ${combine[op.kind]('v', value)};`,
    '}',
    ...(team === 1 ? [] : [`v = ${op.kind === 'reduceMax' ? 'warp_max' : 'warp_sum'}(v);`]),
    ...(team === 256
      ? [
          '__shared__ float parts[8];',
          'if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;',
          '__syncthreads();',
          'if (threadIdx.x != 0) return;',
          `for (int i = 1; i < 8; i++) v = ${combine[op.kind]('v', 'parts[i]')};`,
        ]
      : team === 32
        ? ['if (threadIdx.x % 32 != 0) return;']
        : []),
    `${pointer}[o] = ${result};`,
  ]
  return kernelCall(expressions, body, [Math.ceil(outputs / perBlock), 1, 1], threads)
}
