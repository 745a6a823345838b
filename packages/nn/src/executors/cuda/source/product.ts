import type { Product } from '../plan/launch.js'
import { Expressions, type Program } from './expressions.js'
import { type KernelCall, kernelCall } from './kernel.js'

const ROWS = 8
const COLUMNS = 32
const DEPTH = 128
const THREADS = ROWS * COLUMNS

/**
 * A matrix product for matrices so small that starting a library's kernel takes longer: a block makes 8 x 32 entries, a thread
 * each, from tiles that are loaded in one go.
 */
export function plainProduct(program: Program, product: Product): KernelCall {
  const { rows, columns, inner, transposeA, transposeB, relu, bias } = product
  const expressions = new Expressions(program)
  const [a, b] = [expressions.pointer(product.a), expressions.pointer(product.b)]
  const added = bias && expressions.pointer(bias)
  const out = expressions.pointer(product.out, 'write')
  const depth = Math.min(DEPTH, Math.ceil(inner / 4) * 4)
  // Neighbouring threads load neighbours in memory.
  const loadA = transposeA
    ? [`const int r = t % ${ROWS}, k = t / ${ROWS};`, `const float* at = ${a} + (k0 + k) * ${rows} + r0 + r;`]
    : [
        `const int k = t % ${depth}, r = t / ${depth};`,
        `const float* at = ${a} + (r0 + r) * ${inner} + k0 + k;`,
      ]
  const loadB = transposeB
    ? [
        `const int k = t % ${depth}, c = t / ${depth};`,
        `const float* at = ${b} + (c0 + c) * ${inner} + k0 + k;`,
      ]
    : [
        `const int c = t % ${COLUMNS}, k = t / ${COLUMNS};`,
        `const float* at = ${b} + (k0 + k) * ${columns} + c0 + c;`,
      ]
  const body = [
    `__shared__ float left[${ROWS}][${depth + 1}];`,
    `__shared__ float right[${depth}][${COLUMNS + 1}];`,
    `const int c0 = blockIdx.x * ${COLUMNS}, r0 = blockIdx.y * ${ROWS};`,
    `const int j = threadIdx.x % ${COLUMNS}, i = threadIdx.x / ${COLUMNS};`,
    'float v = 0.f;',
    `for (int k0 = 0; k0 < ${inner}; k0 += ${depth}) {`,
    '#pragma unroll 4',
    `for (int t = threadIdx.x; t < ${ROWS * depth}; t += ${THREADS}) {`,
    ...loadA,
    `left[r][k] = r0 + r < ${rows} && k0 + k < ${inner} ? *at : 0.f;`,
    '}',
    '#pragma unroll 8',
    `for (int t = threadIdx.x; t < ${COLUMNS * depth}; t += ${THREADS}) {`,
    ...loadB,
    `right[k][c] = c0 + c < ${columns} && k0 + k < ${inner} ? *at : 0.f;`,
    '}',
    '__syncthreads();',
    '#pragma unroll 16',
    `for (int k = 0; k < ${depth}; k++) v += left[i][k] * right[k][j];`,
    '__syncthreads();',
    '}',
    `if (r0 + i >= ${rows} || c0 + j >= ${columns}) return;`,
    ...(added ? [`v += ${added}[c0 + j];`] : []),
    ...(relu ? ['v = relu_(v);'] : []),
    `${out}[(r0 + i) * ${columns} + c0 + j] = v;`,
  ]
  return kernelCall(expressions, body, [Math.ceil(columns / COLUMNS), Math.ceil(rows / ROWS), 1], THREADS)
}
