import { channelsOf, type Layout } from '../plan/layout.js'
import type { Slot } from '../plan/slots.js'
import { Block } from './block.js'
import { Expressions, type Program } from './expressions.js'
import { type KernelCall, kernelCall } from './kernel.js'
import { unravel } from './text.js'

/** How many neighbours a thread takes at once. */
export function lanesFor({ wideFrom }: Program, layout: Layout): number {
  if (layout.element === 'i32' || layout.entries < wideFrom) return 1
  const lanes = layout.element === 'bf16' ? 8 : 4
  if (layout.kind === 'channelsLast') return channelsOf(layout) % lanes === 0 ? lanes : 1
  const last = layout.shape.at(-1) ?? 1
  return last % lanes === 0 ? lanes : 1
}

/** Names of the index in a walk through memory. The last axis there is `c`, whose first lane is `first`. */
export function walkIndex(layout: Layout): readonly string[] {
  const names = layout.shape.map((length, axis) => (length === 1 ? '0' : `i${axis}`))
  const last = layout.kind === 'channelsLast' ? 1 : layout.shape.length - 1
  if (last >= 0) names[last] = 'c'
  return names
}

/** C lines that take the place `at` in memory apart: the index of all axes but the last, and `first`. */
export function unpacked(layout: Layout, at: string): readonly string[] {
  const { shape, kind } = layout
  const names = walkIndex(layout)
  if (kind === 'channelsLast') {
    const [, , h, w] = shape
    const channels = channelsOf(layout)
    return [
      `const int first = ${at} % ${channels};`,
      `const int q = ${at} / ${channels};`,
      ...(names[3] === '0' ? [] : [`const int i3 = q % ${w};`]),
      ...(names[2] === '0' ? [] : [`const int i2 = q / ${w} % ${h};`]),
      ...(names[0] === '0' ? [] : [`const int i0 = q / ${w * h};`]),
    ]
  }
  if (shape.length === 0) return ['const int first = 0;']
  const index = unravel(shape, at)
  return index.map((text, axis) =>
    axis === shape.length - 1
      ? `const int first = ${text};`
      : names[axis] === '0'
        ? ''
        : `const int ${names[axis]} = ${text};`,
  )
}

/** One entry of the result for each entry of memory; what fills it up becomes 0. */
export function mapKernel(
  program: Program,
  tensor: number,
  out: Slot,
  recomputed?: ReadonlySet<number>,
): KernelCall {
  const { layout } = out
  const lanes = lanesFor(program, layout)
  const index = walkIndex(layout)
  const expressions = new Expressions(program, {
    walk: { layout, lanes, index },
    ...(recomputed ? { recomputed } : {}),
  })
  const block = new Block()
  const value = expressions.value(tensor, index, block)
  const pointer = expressions.pointer(out, 'write')
  const guard = filled(layout)
  const type = layout.element === 'i32' ? 'int' : 'float'
  const threads = 256
  const count = Math.ceil(layout.entries / lanes)
  const compute =
    guard === undefined
      ? [...block.lines, `v = ${value};`]
      : [`if (${guard}) {`, ...block.lines, `v = ${value};`, '}']
  const body = [
    `const int p = (blockIdx.x * ${threads} + threadIdx.x) * ${lanes};`,
    `if (p >= ${layout.entries}) return;`,
    ...unpacked(layout, 'p'),
    ...expressions.hoisted,
    ...(lanes === 1
      ? [`const int c = first; ${type} v = 0;`, ...compute, `store(${pointer} + p, v);`]
      : [
          `float o[${lanes}];`,
          '#pragma unroll',
          `for (int l = 0; l < ${lanes}; l++) {`,
          'const int c = first + l; float v = 0.f;',
          ...compute,
          'o[l] = v;',
          '}',
          `stores<${lanes}>(${pointer} + p, o);`,
        ]),
  ]
  return kernelCall(expressions, body, [Math.ceil(count / threads), 1, 1], threads)
}

/** The test for entries that are not there to fill up; none where all are real. */
function filled(layout: Layout): string | undefined {
  if (layout.kind === 'rows') return undefined
  const [n, c, h, w] = layout.shape
  const channels = channelsOf(layout)
  const tests = [
    ...(channels === c ? [] : [`c < ${c}`]),
    ...(layout.entries === n * h * w * channels ? [] : [`q / ${w * h} < ${n}`]),
  ]
  return tests.length === 0 ? undefined : tests.join(' && ')
}
