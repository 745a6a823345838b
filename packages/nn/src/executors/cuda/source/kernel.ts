import type { Slot } from '../plan/slots.js'
import type { Expressions } from './expressions.js'

/** A kernel with the memory that it takes. Kernels of the same text are compiled once. */
export interface KernelCall {
  /** C source with `KERNEL` in place of its name. */
  readonly text: string
  readonly grid: readonly [number, number, number]
  readonly block: number
  readonly slots: readonly Slot[]
  readonly written: ReadonlySet<number>
}

/**
 * The text of a kernel for all members of a program at once, one in each layer of the grid: every pointer is moved on by so many
 * entries from a member to the next.
 */
export function forMembers(
  text: string,
  moves: readonly (readonly [pointer: string, entries: number])[],
): string {
  const end = text.indexOf('{') + 1
  const lines = moves.flatMap(([pointer, entries]) =>
    entries === 0 ? [] : [`${pointer} += blockIdx.z * ${entries}ull;`],
  )
  return [text.slice(0, end), ...lines].join('\n') + text.slice(end)
}

/** A call of a kernel with a body, whose parameters the expressions collected. */
export function kernelCall(
  expressions: Expressions,
  body: readonly string[],
  grid: readonly [number, number, number],
  block: number,
): KernelCall {
  const head = `extern "C" __global__ void __launch_bounds__(${block}) KERNEL(${expressions.parameters()}) {`
  return {
    text: [head, ...body, '}'].join('\n'),
    grid,
    block,
    slots: expressions.slots,
    written: expressions.written,
  }
}
