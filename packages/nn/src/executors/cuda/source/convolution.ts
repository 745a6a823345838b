import type { Pair } from '../../../graph/ops.js'
import { channelsOf, padTo } from '../plan/layout.js'
import type { Slot } from '../plan/slots.js'
import type { Scratch } from './column-reduce.js'
import { Expressions, type Program } from './expressions.js'
import { type KernelCall, kernelCall } from './kernel.js'

/** A convolution of x [N, C, H, W] with w [O, C, h, w] to y [N, O, H', W'], seen from y, from x or from w. */
export interface Convolution {
  readonly direction: 'forward' | 'input' | 'weight'
  readonly stride: Pair
  readonly padding: Pair
  readonly x: Slot
  readonly w: Slot
  readonly y: Slot
}

/** Weights up to this many bytes are kept near by. */
const SHARED = 32768

/**
 * Convolutions by plain loops: what is used where the library has nothing for a shape, and for networks so small that starting
 * the library's kernels takes longer.
 */
export function plainConvolution(program: Program, convolution: Convolution, scratch: Scratch): KernelCall {
  const expressions = new Expressions(program)
  switch (convolution.direction) {
    case 'forward':
      return forward(expressions, convolution)
    case 'input':
      return byInput(expressions, convolution)
    case 'weight':
      return byWeightInTiles(expressions, convolution, scratch) ?? byWeight(expressions, convolution)
  }
}

function sizes({ x, w, y }: Convolution) {
  const [n, c, h, width] = x.layout.shape
  const [o, , kh, kw] = w.layout.shape
  const [, , oh, ow] = y.layout.shape
  return {
    n,
    c,
    h,
    width,
    o,
    kh,
    kw,
    oh,
    ow,
    cs: channelsOf(x.layout),
    ws: channelsOf(w.layout),
    os: channelsOf(y.layout),
  }
}

/** Lines that put the weight into shared memory where it fits; `W(o, a, b, c)` then reads it. */
function weightAccess(pointer: string, { w }: Convolution): readonly string[] {
  const [o, c, kh, kw] = w.layout.shape
  const channels = channelsOf(w.layout)
  const entries = o * kh * kw * c
  if (4 * entries > SHARED) {
    return [
      `#define W(o, a, b, c) load(${pointer} + (((o) * ${kh} + (a)) * ${kw} + (b)) * ${channels} + (c))`,
    ]
  }
  return [
    `__shared__ float weights[${entries}];`,
    `for (int i = threadIdx.x; i < ${entries}; i += blockDim.x)`,
    // Neighbouring threads have neighbouring filters: keep those side by side.
    `weights[(i / ${o * c}) * ${o * c} + (i % ${c}) * ${o} + (i / ${c}) % ${o}] = load(${pointer} + ((i / ${c}) % ${o} * ${kh * kw} + i / ${o * c}) * ${channels} + i % ${c});`,
    '__syncthreads();',
    `#define W(o, a, b, c) weights[(((a) * ${kw} + (b)) * ${c} + (c)) * ${o} + (o)]`,
  ]
}

const THREADS = 128

/** Adds up products along the channels, which are loaded some at a time; what fills them up is left out. */
function along(
  count: number,
  stored: number,
  lanes: number,
  name: string,
  from: string,
  factor: string,
): readonly string[] {
  if (count < lanes) {
    return [
      '#pragma unroll',
      `for (int ${name} = 0; ${name} < ${count}; ${name}++) v += load(${from} + ${name}) * ${factor};`,
    ]
  }
  return [
    `#pragma unroll ${stored > 64 ? 4 : stored / lanes}`,
    `for (int g = 0; g < ${stored}; g += ${lanes}) {`,
    `float q${name}[${lanes}]; loads<${lanes}>(${from} + g, q${name});`,
    '#pragma unroll',
    `for (int l = 0; l < ${lanes}; l++) {`,
    `const int ${name} = g + l;`,
    `if (${name} < ${count}) v += q${name}[l] * ${factor};`,
    '} }',
  ]
}

function forward(expressions: Expressions, convolution: Convolution): KernelCall {
  const { n, c, h, width, o, kh, kw, oh, ow, cs, os } = sizes(convolution)
  const { stride, padding } = convolution
  const [x, w] = [expressions.pointer(convolution.x), expressions.pointer(convolution.w)]
  const y = expressions.pointer(convolution.y, 'write')
  const total = n * oh * ow * os
  const body = [
    ...weightAccess(w, convolution),
    `const int p = blockIdx.x * ${THREADS} + threadIdx.x;`,
    `if (p >= ${total}) return;`,
    `const int f = p % ${os}, j = p / ${os} % ${ow}, i = p / ${os * ow} % ${oh}, s = p / ${os * ow * oh};`,
    `if (f >= ${o}) { store(${y} + p, 0.f); return; }`,
    'float v = 0.f;',
    `for (int a = 0; a < ${kh}; a++) {`,
    `const int r = i * ${stride[0]} - ${padding[0]} + a;`,
    `if (r < 0 || r >= ${h}) continue;`,
    `for (int b = 0; b < ${kw}; b++) {`,
    `const int q = j * ${stride[1]} - ${padding[1]} + b;`,
    `if (q < 0 || q >= ${width}) continue;`,
    ...along(
      c,
      cs,
      padTo(convolution.x.layout.element),
      'k',
      `${x} + ((s * ${h} + r) * ${width} + q) * ${cs}`,
      'W(f, a, b, k)',
    ),
    '} }',
    `store(${y} + p, v);`,
    '#undef W',
  ]
  return kernelCall(expressions, body, [Math.ceil(total / THREADS), 1, 1], THREADS)
}

function byInput(expressions: Expressions, convolution: Convolution): KernelCall {
  const { n, c, h, width, o, kh, kw, oh, ow, cs, os } = sizes(convolution)
  const { stride, padding } = convolution
  const [dy, w] = [expressions.pointer(convolution.y), expressions.pointer(convolution.w)]
  const dx = expressions.pointer(convolution.x, 'write')
  const total = n * h * width * cs
  const body = [
    ...weightAccess(w, convolution),
    `const int p = blockIdx.x * ${THREADS} + threadIdx.x;`,
    `if (p >= ${total}) return;`,
    `const int k = p % ${cs}, q = p / ${cs} % ${width}, r = p / ${cs * width} % ${h}, s = p / ${cs * width * h};`,
    `if (k >= ${c}) { store(${dx} + p, 0.f); return; }`,
    'float v = 0.f;',
    `for (int a = 0; a < ${kh}; a++) {`,
    `const int u = r + ${padding[0]} - a;`,
    `if (u < 0 || u % ${stride[0]} != 0 || u / ${stride[0]} >= ${oh}) continue;`,
    `for (int b = 0; b < ${kw}; b++) {`,
    `const int t = q + ${padding[1]} - b;`,
    `if (t < 0 || t % ${stride[1]} != 0 || t / ${stride[1]} >= ${ow}) continue;`,
    `const int at = ((s * ${oh} + u / ${stride[0]}) * ${ow} + t / ${stride[1]}) * ${os};`,
    ...along(o, os, padTo(convolution.y.layout.element), 'f', `${dy} + at`, 'W(f, a, b, k)'),
    '} }',
    `store(${dx} + p, v);`,
    '#undef W',
  ]
  return kernelCall(expressions, body, [Math.ceil(total / THREADS), 1, 1], THREADS)
}

/** Floats of a sample's image and gradient up to which both are kept near by. */
const TILE = 10_000
/** Places that a block goes through at most. */
const PLACES = 192

/**
 * Blocks take a sample, or some rows of it, and as many entries of the weight as they have threads; image and gradient lie in
 * shared memory. The last block of some entries adds up what all found, always in the same order.
 */
function byWeightInTiles(
  expressions: Expressions,
  convolution: Convolution,
  scratch: Scratch,
): KernelCall | undefined {
  const { n, c, h, width, o, kh, kw, oh, ow, cs, ws, os } = sizes(convolution)
  const { stride, padding } = convolution
  const [image, gradient] = [h * width * c, oh * ow * o]
  if (image + gradient > TILE) return undefined
  const [x, dy] = [expressions.pointer(convolution.x), expressions.pointer(convolution.y)]
  const dw = expressions.pointer(convolution.w, 'write')
  const { entries } = convolution.w.layout
  const real = o * kh * kw * c
  const threads = 256
  const groups = Math.ceil(real / threads)
  const cuts = Math.min(oh, Math.ceil((oh * ow) / PLACES))
  const rowsOfCut = Math.ceil(oh / cuts)
  const parts = n * cuts
  const memory = scratch(parts * real, groups + 1)
  const [sums, counters] = [
    expressions.pointer(memory.sums, 'write'),
    expressions.pointer(memory.counters, 'write'),
  ]
  const body = [
    `__shared__ float xs[${image}];`,
    `__shared__ float ds[${gradient}];`,
    `const int s = blockIdx.y / ${cuts}, from = blockIdx.y % ${cuts} * ${rowsOfCut}, to = min(${oh}, from + ${rowsOfCut});`,
    `for (int i = threadIdx.x; i < ${image}; i += ${threads}) xs[i] = load(${x} + (s * ${h * width} + i / ${c}) * ${cs} + i % ${c});`,
    `for (int i = threadIdx.x; i < ${gradient}; i += ${threads}) ds[i] = load(${dy} + (s * ${oh * ow} + i / ${o}) * ${os} + i % ${o});`,
    '__syncthreads();',
    // The filter is the fastest of a thread's entries: neighbours read the same place of the image.
    `const int e = blockIdx.x * ${threads} + threadIdx.x;`,
    `const int f = e % ${o}, k = e / ${o} % ${c}, b = e / ${o * c} % ${kw}, a = e / ${o * c * kw};`,
    `if (e < ${real}) {`,
    'float v = 0.f;',
    'for (int i = from; i < to; i++) {',
    `const int r = i * ${stride[0]} - ${padding[0]} + a;`,
    `if (r < 0 || r >= ${h}) continue;`,
    '#pragma unroll 8',
    `for (int j = 0; j < ${ow}; j++) {`,
    `const int q = j * ${stride[1]} - ${padding[1]} + b;`,
    ...(padding[1] === 0 ? [] : [`if (q < 0 || q >= ${width}) continue;`]),
    `v += xs[(r * ${width} + q) * ${c} + k] * ds[(i * ${ow} + j) * ${o} + f];`,
    '} }',
    `${sums}[blockIdx.y * ${real} + e] = v;`,
    '}',
    '__threadfence();',
    '__shared__ bool last;',
    '__syncthreads();',
    `if (threadIdx.x == 0) last = atomicAdd((unsigned*)${counters} + blockIdx.x, 1u) == ${parts - 1};`,
    '__syncthreads();',
    'if (!last) return;',
    '__threadfence();',
    `if (e < ${real}) {`,
    'float v = 0.f;',
    '#pragma unroll 16',
    `for (int i = 0; i < ${parts}; i++) v += __ldcg(${sums} + i * ${real} + e);`,
    `store(${dw} + ((f * ${kh} + a) * ${kw} + b) * ${ws} + k, v);`,
    '}',
    `if (threadIdx.x == 0) ((unsigned*)${counters})[blockIdx.x] = 0u;`,
    // The first group also clears what fills the weight up.
    ...(entries === real
      ? []
      : [
          'if (blockIdx.x != 0) return;',
          `for (int i = threadIdx.x; i < ${entries}; i += ${threads})`,
          `if (i % ${ws} >= ${c} || i / ${ws * kw * kh} >= ${o}) store(${dw} + i, 0.f);`,
        ]),
  ]
  return kernelCall(expressions, body, [groups, parts, 1], threads)
}

/** A block for each entry of the weight, fill-up included. */
function byWeight(expressions: Expressions, convolution: Convolution): KernelCall {
  const { n, c, h, width, o, kh, kw, oh, ow, cs, ws, os } = sizes(convolution)
  const { stride, padding } = convolution
  const [x, dy] = [expressions.pointer(convolution.x), expressions.pointer(convolution.y)]
  const dw = expressions.pointer(convolution.w, 'write')
  const entries = convolution.w.layout.entries
  const threads = n * oh * ow >= 4096 ? 256 : 128
  const body = [
    'const int p = blockIdx.x;',
    `const int k = p % ${ws}, b = p / ${ws} % ${kw}, a = p / ${ws * kw} % ${kh}, f = p / ${ws * kw * kh};`,
    `if (k >= ${c} || f >= ${o}) { if (threadIdx.x == 0) store(${dw} + p, 0.f); return; }`,
    'float v = 0.f;',
    '#pragma unroll 4',
    `for (int i = threadIdx.x; i < ${n * oh * ow}; i += ${threads}) {`,
    `const int r = i / ${ow} % ${oh} * ${stride[0]} - ${padding[0]} + a, q = i % ${ow} * ${stride[1]} - ${padding[1]} + b;`,
    `if (r < 0 || r >= ${h} || q < 0 || q >= ${width}) continue;`,
    `v += load(${x} + ((i / ${oh * ow} * ${h} + r) * ${width} + q) * ${cs} + k) * load(${dy} + i * ${os} + f);`,
    '}',
    'v = warp_sum(v);',
    `__shared__ float parts[${threads / 32}];`,
    'if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;',
    '__syncthreads();',
    'if (threadIdx.x != 0) return;',
    `for (int i = 1; i < ${threads / 32}; i++) v += parts[i];`,
    `store(${dw} + p, v);`,
  ]
  return kernelCall(expressions, body, [entries, 1, 1], threads)
}
