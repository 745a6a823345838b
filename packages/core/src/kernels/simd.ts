import { simdModule } from './simd.generated.js'

/** Rows, columns of the first array, addresses of up to three arrays, of parameters, of sums, and of free memory. */
export type SimdKernel = (
  rows: number,
  cols: number,
  a: number,
  b: number,
  c: number,
  params: number,
  sums: number,
  scratch: number,
) => void

export type KernelName =
  | 'checksum'
  | 'columnSums'
  | 'expAll'
  | 'fixedPoint'
  | 'fold'
  | 'gram'
  | 'norms'
  | 'objective'
  | 'posterior'
  | 'predictor'
  | 'rescale'
  | 'score'
  | 'softmax'

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** What we use of the global WebAssembly, which TypeScript describes only for browsers. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: Record<string, unknown> }
}

/** Reserved with a room, so that the memory need not grow soon. */
const SPARE = 2 ** 18

/** Where free memory begins, in numbers: below are the kernels' constants. */
const FREE = 512

/** The SIMD kernels with their memory; one for each thread. */
export class Simd {
  private readonly memory: WasmMemory
  private readonly kernels: Record<string, unknown>
  /** The whole memory as numbers; replaced when it grows. */
  numbers: Float64Array

  constructor(engine: Engine) {
    const bytes = Uint8Array.from(atob(simdModule), (letter) => letter.charCodeAt(0))
    this.kernels = new engine.Instance(new engine.Module(bytes)).exports
    this.memory = this.kernels.memory as WasmMemory
    this.numbers = new Float64Array(this.memory.buffer)
  }

  kernel(name: KernelName): SimdKernel {
    return this.kernels[name] as SimdKernel
  }

  /** Where memory that nobody has taken begins. */
  free: number = FREE

  /**
   * So many numbers in the kernels' own memory, which need not be copied there: a view that is good until the next call, and until the memory
   * grows, whereupon its length is 0.
   */
  room(count: number): Float64Array {
    this.free = Math.max(this.free, FREE + 2 * Math.ceil(count / 2))
    this.reserve(this.free + SPARE)
    return this.numbers.subarray(FREE, FREE + count)
  }

  /** Whether numbers lie in that room. */
  holds({ buffer, byteOffset, byteLength }: Float64Array): boolean {
    const end = (byteOffset + byteLength) / 8
    return buffer === this.numbers.buffer && byteOffset >= 8 * FREE && end <= this.free
  }

  /** Makes room for so many numbers in all. */
  reserve(count: number): void {
    if (count <= this.numbers.length) return
    this.memory.grow(Math.ceil((count - this.numbers.length) / 8192))
    this.numbers = new Float64Array(this.memory.buffer)
  }
}

/**
 * Room for numbers where the kernels need not copy them from, if there are kernels. Its length becomes 0 when their memory grows: whoever
 * works on it looks at that afterwards, and does it again.
 */
export function kernelRoom(count: number): Float64Array {
  return simd()?.room(count) ?? new Float64Array(count)
}

let instance: Simd | null | undefined

/** This thread's kernels; null where the engine has no WebAssembly SIMD or does not allow it. */
export function simd(): Simd | null {
  if (instance === undefined) {
    const engine = (globalThis as { WebAssembly?: Engine }).WebAssembly
    try {
      instance = engine === undefined ? null : new Simd(engine)
    } catch {
      instance = null
    }
  }
  return instance
}
