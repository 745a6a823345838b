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

  /** Makes room for so many numbers in all. */
  reserve(count: number): void {
    if (count <= this.numbers.length) return
    this.memory.grow(Math.ceil((count - this.numbers.length) / 8192))
    this.numbers = new Float64Array(this.memory.buffer)
  }
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
