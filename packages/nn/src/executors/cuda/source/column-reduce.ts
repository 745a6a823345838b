import { sizeOf } from '../../../graph/graph.js'
import { channelsOf, type Layout } from '../plan/layout.js'
import type { Slot } from '../plan/slots.js'
import { Block } from './block.js'
import { Expressions, type Program } from './expressions.js'
import { type KernelCall, kernelCall } from './kernel.js'
import { lanesFor, unpacked, walkIndex } from './map.js'
import { unravel } from './text.js'

/** Makes memory for the first stage's sums, and a counter for each group of columns. */
export type Scratch = (sums: number, counters: number) => { readonly sums: Slot; readonly counters: Slot }

export interface ColumnReduce {
  /** How the rows are walked through: the last axis in memory is the column. */
  readonly layout: Layout
  /** C names of what is added up for an entry. */
  terms(expressions: Expressions, index: readonly string[], block: Block): readonly string[]
  /** C lines for a column whose sums are known. */
  finish(sums: readonly string[], expressions: Expressions, channel: string): readonly string[]
  /** C lines before the rows, with the first column as `first`. */
  readonly before?: (expressions: Expressions, lanes: number) => readonly string[]
  readonly scratch: Scratch
  readonly recomputed?: ReadonlySet<number>
}

const THREADS = 256
/** Blocks that fill the card. */
const BLOCKS = 256
/** Rows that a thread should have at least. */
const ROWS = 8

/**
 * Sums down columns. Blocks take some rows of a group of columns each; the last one of a group to finish adds up what all found,
 * always in the same order, so that the result is the same every time.
 */
export function columnReduce(program: Program, task: ColumnReduce): KernelCall {
  const { layout } = task
  if (layout.kind === 'rows' && layout.shape.length > 2) return planeReduce(program, task)
  const columns = layout.kind === 'channelsLast' ? channelsOf(layout) : layout.shape.at(-1)!
  const real = layout.kind === 'channelsLast' ? layout.shape[1] : columns
  const rowCount = sizeOf(layout.shape) / real
  const lanes = lanesFor(program, layout)
  const across = Math.min(32, 2 ** Math.ceil(Math.log2(columns / lanes)))
  const down = THREADS / across
  const groups = Math.ceil(columns / (lanes * across))
  const parts = Math.max(1, Math.min(Math.ceil(BLOCKS / groups), Math.floor(rowCount / (down * ROWS))))

  const index = walkIndex(layout)
  const expressions = new Expressions(program, {
    walk: { layout, lanes, index },
    ...(task.recomputed ? { recomputed: task.recomputed } : {}),
  })
  const block = new Block()
  expressions.hoists = false
  const before = task.before?.(expressions, lanes) ?? []
  expressions.hoists = true
  const terms = task.terms(expressions, index, block)
  const count = terms.length
  expressions.hoists = false
  const finish = task.finish(
    terms.map((_, a) => `total[${a}]`),
    expressions,
    'c',
  )
  const partial = parts > 1 ? task.scratch(parts * count * columns, groups) : undefined
  const sums = partial && expressions.pointer(partial.sums, 'write')
  const counters = partial && expressions.pointer(partial.counters, 'write')
  const width = across * lanes

  /** All threads add what they hold over the rows of the block; the first row then has the sums. */
  const together = [
    '#pragma unroll',
    `for (int a = 0; a < ${count}; a++) {`,
    '#pragma unroll',
    `for (int l = 0; l < ${lanes}; l++) shared[ty * ${width} + tx * ${lanes} + l] = sum[a][l];`,
    '__syncthreads();',
    `for (int d = ${down / 2}; d > 0; d >>= 1) {`,
    `if (ty < d) for (int l = 0; l < ${lanes}; l++) shared[ty * ${width} + tx * ${lanes} + l] += shared[(ty + d) * ${width} + tx * ${lanes} + l];`,
    '__syncthreads();',
    '}',
    '#pragma unroll',
    `for (int l = 0; l < ${lanes}; l++) sum[a][l] = shared[tx * ${lanes} + l];`,
    '__syncthreads();',
    '}',
  ]
  const body = [
    `__shared__ float shared[${THREADS * lanes}];`,
    `const int tx = threadIdx.x % ${across}, ty = threadIdx.x / ${across};`,
    `const int first = (blockIdx.x * ${across} + tx) * ${lanes};`,
    `float sum[${count}][${lanes}];`,
    '#pragma unroll',
    `for (int a = 0; a < ${count}; a++) for (int l = 0; l < ${lanes}; l++) sum[a][l] = 0.f;`,
    `if (first < ${columns}) {`,
    ...before,
    '#pragma unroll 4',
    `for (int r = blockIdx.y * ${down} + ty; r < ${rowCount}; r += ${down * parts}) {`,
    `const int p = r * ${columns} + first;`,
    ...unpacked(layout, 'p').filter((line) => !line.startsWith('const int first')),
    ...expressions.hoisted,
    '#pragma unroll',
    `for (int l = 0; l < ${lanes}; l++) {`,
    'const int c = first + l;',
    ...(real === columns ? [] : [`if (c < ${real}) {`]),
    ...block.lines,
    ...terms.map((term, a) => `sum[${a}][l] += ${term};`),
    ...(real === columns ? [] : ['}']),
    '}',
    '}',
    '}',
    ...together,
    ...(partial
      ? [
          `if (ty == 0 && first < ${columns})`,
          `for (int a = 0; a < ${count}; a++) for (int l = 0; l < ${lanes}; l++)`,
          `${sums}[(blockIdx.y * ${count} + a) * ${columns} + first + l] = sum[a][l];`,
          '__threadfence();',
          '__shared__ bool last;',
          '__syncthreads();',
          `if (threadIdx.x == 0) last = atomicAdd((unsigned*)${counters} + blockIdx.x, 1u) == ${parts - 1};`,
          '__syncthreads();',
          'if (!last) return;',
          '__threadfence();',
          `for (int a = 0; a < ${count}; a++) for (int l = 0; l < ${lanes}; l++) sum[a][l] = 0.f;`,
          `if (first < ${columns}) {`,
          '#pragma unroll 8',
          `for (int g = ty; g < ${parts}; g += ${down}) {`,
          '#pragma unroll',
          `for (int a = 0; a < ${count}; a++) {`,
          `float q[${lanes}];`,
          `loads_far<${lanes}>(${sums} + (g * ${count} + a) * ${columns} + first, q);`,
          '#pragma unroll',
          `for (int l = 0; l < ${lanes}; l++) sum[a][l] += q[l];`,
          '} } }',
          ...together,
          `if (threadIdx.x == 0) ((unsigned*)${counters})[blockIdx.x] = 0u;`,
        ]
      : []),
    'if (ty != 0) return;',
    `for (int l = 0; l < ${lanes}; l++) {`,
    'const int c = first + l;',
    `if (c >= ${real}) continue;`,
    `float total[${count}];`,
    `for (int a = 0; a < ${count}; a++) total[a] = sum[a][l];`,
    ...finish,
    '}',
  ]
  return kernelCall(expressions, body, [groups, parts, 1], THREADS)
}

/** The same for [N, C, ...] in row-major order, where a channel is no column: a block for each channel. */
function planeReduce(program: Program, task: ColumnReduce): KernelCall {
  const { shape } = task.layout
  const [n, channels, ...rest] = shape
  const plane = sizeOf(rest)
  const expressions = new Expressions(program, task.recomputed ? { recomputed: task.recomputed } : {})
  const block = new Block()
  const before = task.before?.(expressions, 1) ?? []
  const inPlane = unravel(rest, `(k % ${plane})`)
  const index = shape.map((length, axis) => (axis === 1 ? 'c' : length === 1 ? '0' : `i${axis}`))
  const terms = task.terms(expressions, index, block)
  const finish = task.finish(
    terms.map((_, a) => `total[${a}]`),
    expressions,
    'c',
  )
  const body = [
    'const int first = blockIdx.x, c = first, l = 0;',
    ...before,
    `float sum[${terms.length}];`,
    `for (int a = 0; a < ${terms.length}; a++) sum[a] = 0.f;`,
    `for (int k = threadIdx.x; k < ${n * plane}; k += ${THREADS}) {`,
    ...(n === 1 ? [] : [`const int i0 = k / ${plane};`]),
    ...rest.flatMap((length, i) => (length === 1 ? [] : [`const int i${i + 2} = ${inPlane[i]};`])),
    ...block.lines,
    ...terms.map((term, a) => `sum[${a}] += ${term};`),
    '}',
    `__shared__ float shared[${terms.length}][${THREADS / 32}];`,
    `for (int a = 0; a < ${terms.length}; a++) {`,
    'const float s = warp_sum(sum[a]);',
    'if (threadIdx.x % 32 == 0) shared[a][threadIdx.x / 32] = s;',
    '}',
    '__syncthreads();',
    'if (threadIdx.x != 0) return;',
    `float total[${terms.length}];`,
    `for (int a = 0; a < ${terms.length}; a++) {`,
    'total[a] = 0.f;',
    `for (int i = 0; i < ${THREADS / 32}; i++) total[a] += shared[a][i];`,
    '}',
    ...finish,
  ]
  return kernelCall(expressions, body, [channels, 1, 1], THREADS)
}
