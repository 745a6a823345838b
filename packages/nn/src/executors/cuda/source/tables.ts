/**
 * Kernels that go through a table: one launch for all parameters of a network. A row of the table has addresses and sizes;
 * a second table says for each block which row it works on, and from where.
 */

/** Entries that a block takes. */
export const CHUNK = 4096
const THREADS = 256

/** Eight words of 8 bytes each, as \`Entry\` in C: four addresses, three scalars' addresses, and packed sizes. */
export const TABLE_THREADS: number = THREADS

const entry = `
struct Entry {
  unsigned long long a, b, c, d;      // tensors
  unsigned long long e, f, g;         // what else is read or written
  int n, kind, channels, plane, stride, pad;
  float x, y, z, u, p, q;
};
struct Piece { int entry, from; };
`

/** How the gradient of an entry of a row-major parameter is found: as it is, or in a filter with its channels last. */
const gradient = `
INLINE float at(unsigned long long address, int i, const Entry& e) {
  if (e.kind == 0) return ((const float*)address)[i];
  const int hw = i % e.plane, q = i / e.plane, c = q % e.channels, o = q / e.channels;
  const long long p = ((long long)o * e.plane + hw) * e.stride + c;
  return e.kind == 1 ? load((const float*)address + p) : load((const bf16*)address + p);
}
`

const loop = (body: string): string => `
  const Piece piece = pieces[blockIdx.x];
  const Entry e = table[piece.entry];
  const int end = min(e.n, piece.from + ${CHUNK});
  #pragma unroll 4
  for (int i = piece.from + threadIdx.x; i < end; i += ${THREADS}) {${body}
  }
`

const kernel = (name: string, body: string): string =>
  `extern "C" __global__ void __launch_bounds__(${THREADS}) ${name}(const Entry* __restrict__ table, const Piece* __restrict__ pieces) {${body}}\n`

/** a: w, b: v, c: gradient, d: rate, e: new w, f: new v; x: momentum, y: weight decay. */
const sgd = kernel(
  'table_sgd',
  loop(`
    const float w = ((const float*)e.a)[i];
    const float v = e.x * ((const float*)e.b)[i] + at(e.c, i, e) + e.y * w;
    ((float*)e.f)[i] = v;
    ((float*)e.e)[i] = w - *(const float*)e.d * v;`),
)

/** a: w, b: m, c: gradient, d: v, e: rates (rate, c1, c2 addresses), f: outputs (w, m, v addresses); x, y: betas, z: epsilon, u: decay, p, q: 1 - betas, which float32 would take from them with half of its digits. */
const adam = kernel(
  'table_adam',
  loop(`
    const unsigned long long* in = (const unsigned long long*)e.e;
    const unsigned long long* out = (const unsigned long long*)e.f;
    const float rate = *(const float*)in[0], c1 = *(const float*)in[1], c2 = *(const float*)in[2];
    const float w = ((const float*)e.a)[i];
    const float d = at(e.c, i, e) + e.u * w;
    const float m = e.x * ((const float*)e.b)[i] + e.p * d;
    const float v = e.y * ((const float*)e.d)[i] + e.q * d * d;
    ((float*)out[1])[i] = m;
    ((float*)out[2])[i] = v;
    ((float*)out[0])[i] = w - rate / c1 * m / (sqrtf(v / c2) + e.z);`),
)

/** a: from, b: to; words of 4 bytes. */
const copy = kernel(
  'table_copy',
  loop(`
    ((unsigned*)e.b)[i] = ((const unsigned*)e.a)[i];`),
)

/** a: a filter in row-major order, b: the same with its channels last; n counts the entries of the latter. */
const filters = kernel(
  'table_filters',
  loop(`
    const int c = i % e.stride, q = i / e.stride, hw = q % e.plane, o = q / e.plane;
    const float v = c < e.channels && o < e.pad ? ((const float*)e.a)[(o * e.channels + c) * e.plane + hw] : 0.f;
    if (e.kind == 1) store((float*)e.b + i, v); else store((bf16*)e.b + i, v);`),
)

export const tableSource: string = `${entry}${gradient}${sgd}${adam}${copy}${filters}`

export type TableKind = 'sgd' | 'adam' | 'copy' | 'filters'

/** Bytes of an \`Entry\` in C: seven addresses, six whole numbers, six real ones. */
export const ENTRY_BYTES: number = 7 * 8 + 6 * 4 + 6 * 4

/** A row of a table, with addresses known. */
export interface TableRow {
  readonly addresses: readonly number[]
  readonly sizes: readonly [
    n: number,
    kind: number,
    channels: number,
    plane: number,
    stride: number,
    pad: number,
  ]
  readonly reals?: readonly number[]
}

/** The two tables as bytes. */
export function tableBytes(rows: readonly TableRow[]): {
  readonly table: Buffer
  readonly pieces: Buffer
  readonly blocks: number
} {
  const table = Buffer.alloc(rows.length * ENTRY_BYTES)
  const pieces: number[] = []
  rows.forEach(({ addresses, sizes, reals = [] }, k) => {
    const at = k * ENTRY_BYTES
    addresses.forEach((address, i) => {
      table.writeBigUInt64LE(BigInt(address), at + 8 * i)
    })
    sizes.forEach((size, i) => {
      table.writeInt32LE(size, at + 56 + 4 * i)
    })
    reals.forEach((real, i) => {
      table.writeFloatLE(real, at + 80 + 4 * i)
    })
    for (let from = 0; from < sizes[0]; from += CHUNK) pieces.push(k, from)
  })
  return { table, pieces: Buffer.from(Int32Array.from(pieces).buffer), blocks: pieces.length / 2 }
}
