import { type Node, sizeOf } from '../../../graph/graph.js'
import type { BatchNormGrad, BatchNormTrain } from '../../../graph/ops.js'
import type { Layout } from '../plan/layout.js'
import type { Slot } from '../plan/slots.js'
import { Block } from './block.js'
import { columnReduce, type Scratch } from './column-reduce.js'
import type { Expressions, Program } from './expressions.js'
import type { KernelCall } from './kernel.js'
import { literal } from './text.js'

/** A variable that becomes a function of a batch's statistics, written where they are computed. */
export interface StatisticUpdate {
  readonly tensor: number
  readonly variable: Slot
}

/**
 * Mean and variance of each channel, and the running statistics that follow from them. Entries are taken relative to the
 * first one of their channel, so that a mean far from 0 costs no digits.
 */
export function statisticsKernel(
  program: Program,
  node: Node & { readonly op: BatchNormTrain },
  layout: Layout,
  [mean, variance]: readonly Slot[],
  updates: readonly StatisticUpdate[],
  scratch: Scratch,
): KernelCall {
  const [x] = node.inputs
  const { shape } = program.graph.tensors[x]
  const count = literal(sizeOf(shape) / shape[1])
  const zero = shape.map((_, axis) => (axis === 1 ? 'c' : '0'))
  return columnReduce(program, {
    layout,
    scratch,
    before: (expressions, lanes) => {
      const block = new Block()
      const value = expressions.value(x, zero, block)
      return [
        `float shift[${lanes}];`,
        `for (int l = 0; l < ${lanes}; l++) {`,
        `const int c = first + l; if (c >= ${shape[1]}) { shift[l] = 0.f; continue; }`,
        ...block.lines,
        `shift[l] = ${value};`,
        '}',
      ]
    },
    terms: (expressions, index, block) => {
      const value = expressions.value(x, index, block)
      const name = expressions.name()
      block.lines.push(`const float ${name} = ${value} - shift[l];`)
      return [name, `${name} * ${name}`]
    },
    finish: (sums, expressions, channel) => {
      const block = new Block()
      const shift = expressions.value(x, zero, block)
      const [m, v] = [expressions.name(), expressions.name()]
      block.lines.push(
        `const float d = ${sums[0]} / ${count};`,
        `const float ${m} = ${shift} + d;`,
        `const float ${v} = fmaxf(0.f, ${sums[1]} / ${count} - d * d);`,
        `${expressions.pointer(mean, 'write')}[${channel}] = ${m};`,
        `${expressions.pointer(variance, 'write')}[${channel}] = ${v};`,
      )
      expressions.give(node.outputs[1], m)
      expressions.give(node.outputs[2], v)
      for (const { tensor, variable } of updates) {
        const value = expressions.value(tensor, [channel], block)
        block.lines.push(`${expressions.pointer(variable, 'write')}[${channel}] = ${value};`)
      }
      return block.lines
    },
  })
}

/** The gradients by scale and bias: sums of dy and of dy times the normalised x. */
export function scaleGradKernel(
  program: Program,
  node: Node & { readonly op: BatchNormGrad },
  layout: Layout,
  [dscale, dbias]: readonly Slot[],
  scratch: Scratch,
  recomputed: ReadonlySet<number>,
): KernelCall {
  const [dy, x, , mean, variance] = node.inputs
  return columnReduce(program, {
    layout,
    scratch,
    recomputed,
    terms: (expressions: Expressions, index, block) => {
      const gradient = expressions.value(dy, index, block)
      const centred = `(${expressions.value(x, index, block)} - ${expressions.value(mean, [index[1]], block)})`
      const inverse = `rsqrtf(${expressions.value(variance, [index[1]], block)} + ${literal(node.op.epsilon)})`
      return [gradient, `${gradient} * (${centred} * ${inverse})`]
    },
    finish: ([byBias, byScale], expressions, channel) => [
      `${expressions.pointer(dscale, 'write')}[${channel}] = ${byScale};`,
      `${expressions.pointer(dbias, 'write')}[${channel}] = ${byBias};`,
    ],
  })
}
