import type { Slot } from '../plan/slots.js'
import { Block } from './block.js'
import { Expressions, type Program } from './expressions.js'
import { type KernelCall, kernelCall } from './kernel.js'

/** Up to so many entries, each is compared with all others. */
const FEW = 2048
const THREADS = 256
const DIGITS = 256

/** Memory of the selection: what is known of the k-th smallest, how often each digit occurs, and equal entries by block. */
export type SelectionScratch = (entries: number) => Slot

/** A mask of the k smallest entries; of equal ones the first. */
export function smallestKernels(
  program: Program,
  [x, k]: readonly number[],
  out: Slot,
  scratch: SelectionScratch,
): readonly KernelCall[] {
  const [n] = program.graph.tensors[x].shape
  const make = (
    write: (expressions: Expressions, load: (at: string, block: Block) => string) => readonly string[],
    blocks: number,
  ): KernelCall => {
    const expressions = new Expressions(program)
    const body = write(expressions, (at, block) => expressions.value(x, [n === 1 ? '0' : at], block))
    return kernelCall(expressions, body, [blocks, 1, 1], THREADS)
  }
  const keep = (expressions: Expressions, block: Block): string =>
    `(int)fminf(fmaxf(floorf(${expressions.value(k, [], block)}), 0.f), ${n}.f)`
  if (n <= FEW) {
    return [
      make(
        (expressions, load) => {
          const [block, mine, other] = [new Block(), new Block(), new Block()]
          const wanted = keep(expressions, block)
          const [own, theirs] = [load('i', mine), load('j', other)]
          return [
            `const int i = blockIdx.x * ${THREADS} + threadIdx.x;`,
            `if (i >= ${n}) return;`,
            ...block.lines,
            ...mine.lines,
            'int rank = 0;',
            `for (int j = 0; j < ${n}; j++) {`,
            ...other.lines,
            `rank += ${theirs} < ${own} || (${theirs} == ${own} && j < i);`,
            '}',
            `store(${expressions.pointer(out, 'write')} + i, rank < ${wanted} ? 1.f : 0.f);`,
          ]
        },
        Math.ceil(n / THREADS),
      ),
    ]
  }
  // Radix selection: the k-th smallest is found digit by digit, then equal entries are given out in order.
  const blocks = Math.min(1024, Math.ceil(n / (THREADS * 4)))
  const per = Math.ceil(n / blocks)
  const memory = scratch(4 + DIGITS + blocks)
  // memory: 0 prefix, 1 how many of the smallest are still to be found, from 4 the counts, then equal entries by block.
  const state = (expressions: Expressions): string => `((unsigned*)${expressions.pointer(memory, 'write')})`
  const key = (value: string): string =>
    `(__float_as_uint(${value}) ^ ((unsigned)((int)__float_as_uint(${value}) >> 31) | 0x80000000u))`
  const calls: KernelCall[] = [
    make((expressions) => {
      const block = new Block()
      const wanted = keep(expressions, block)
      const s = state(expressions)
      return [
        ...block.lines,
        `if (threadIdx.x == 0) { ${s}[0] = 0u; ${s}[1] = (unsigned)${wanted}; ${s}[2] = ${wanted} == 0; }`,
        `${s}[4 + threadIdx.x] = 0u;`,
      ]
    }, 1),
  ]
  for (const shift of [24, 16, 8, 0]) {
    calls.push(
      make((expressions, load) => {
        const block = new Block()
        const value = load('i', block)
        const s = state(expressions)
        return [
          `__shared__ unsigned counts[${DIGITS}];`,
          'counts[threadIdx.x] = 0u;',
          '__syncthreads();',
          `const unsigned prefix = ${s}[0];`,
          `for (int i = blockIdx.x * ${THREADS} + threadIdx.x; i < ${n}; i += ${THREADS * blocks}) {`,
          ...block.lines,
          `const unsigned key = ${key(value)};`,
          ...(shift === 24
            ? ['atomicAdd(&counts[key >> 24], 1u);']
            : [
                `if ((key >> ${shift + 8}) == (prefix >> ${shift + 8})) atomicAdd(&counts[(key >> ${shift}) & 255u], 1u);`,
              ]),
          '}',
          '__syncthreads();',
          `if (counts[threadIdx.x] != 0u) atomicAdd(&${s}[4 + threadIdx.x], counts[threadIdx.x]);`,
        ]
      }, blocks),
      make((expressions) => {
        const s = state(expressions)
        return [
          'if (threadIdx.x != 0) return;',
          `unsigned left = ${s}[1], digit = 0u;`,
          `while (digit < 255u && ${s}[4 + digit] < left) { left -= ${s}[4 + digit]; digit++; }`,
          `${s}[0] |= digit << ${shift}; ${s}[1] = left;`,
          `for (int d = 0; d < ${DIGITS}; d++) ${s}[4 + d] = 0u;`,
        ]
      }, 1),
    )
  }
  calls.push(
    make((expressions, load) => {
      const block = new Block()
      const value = load('i', block)
      const s = state(expressions)
      return [
        '__shared__ unsigned equal;',
        'if (threadIdx.x == 0) equal = 0u;',
        '__syncthreads();',
        `const unsigned border = ${s}[0];`,
        `const int end = min(${n}, (int)(blockIdx.x + 1) * ${per});`,
        'unsigned found = 0u;',
        `for (int i = blockIdx.x * ${per} + threadIdx.x; i < end; i += ${THREADS}) {`,
        ...block.lines,
        `found += ${key(value)} == border;`,
        '}',
        'atomicAdd(&equal, found);',
        '__syncthreads();',
        `if (threadIdx.x == 0) ${s}[${4 + DIGITS} + blockIdx.x] = equal;`,
      ]
    }, blocks),
    make((expressions, load) => {
      const block = new Block()
      const value = load('i', block)
      const s = state(expressions)
      return [
        '__shared__ unsigned before, taken[8];',
        `const unsigned border = ${s}[0], left = ${s}[1]; const bool none = ${s}[2] != 0u;`,
        'if (threadIdx.x == 0) {',
        'unsigned b = 0u;',
        `for (int i = 0; i < blockIdx.x; i++) b += ${s}[${4 + DIGITS} + i];`,
        'before = b;',
        '}',
        '__syncthreads();',
        `const int end = min(${n}, (int)(blockIdx.x + 1) * ${per});`,
        `for (int start = blockIdx.x * ${per}; start < end; start += ${THREADS}) {`,
        'const int i = start + threadIdx.x;',
        'unsigned key = 0xffffffffu; bool inside = i < end;',
        'if (inside) {',
        ...block.lines,
        `key = ${key(value)};`,
        '}',
        'const bool same = inside && key == border;',
        'const unsigned votes = __ballot_sync(0xffffffffu, same);',
        'if (threadIdx.x % 32 == 0) taken[threadIdx.x / 32] = __popc(votes);',
        '__syncthreads();',
        'unsigned rank = before + __popc(votes & ((1u << (threadIdx.x % 32)) - 1u)), all = 0u;',
        'for (int w = 0; w < 8; w++) { if (w < threadIdx.x / 32) rank += taken[w]; all += taken[w]; }',
        `if (inside) store(${expressions.pointer(out, 'write')} + i, !none && (key < border || (same && rank < left)) ? 1.f : 0.f);`,
        '__syncthreads();',
        'if (threadIdx.x == 0) before += all;',
        '__syncthreads();',
        '}',
      ]
    }, blocks),
  )
  return calls
}
