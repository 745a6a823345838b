import { out64, readPointer } from '../driver/library.js'
import type { Product } from '../plan/launch.js'
import type { Device } from './device.js'
import { fastest, type Way } from './fastest.js'

const FLOAT = 0
const COMPUTE = { exact: 68, tf32: 77 }
const TRANSPOSE_A = 3
const TRANSPOSE_B = 4
const EPILOGUE = 7
const BIAS_POINTER = 8
const EPILOGUES = { none: 1, relu: 2, bias: 4, both: 6 }
const MOST_WORKSPACE = 1
/** Bytes of cublasLtMatmulHeuristicResult_t: the algorithm, its workspace, a status, and room. */
const RESULT = 96
const ALGORITHM = 64
const CANDIDATES = 8
/** Runs in a row that are measured together. */
const REPEATS = 16
/** Multiplications up to which a plain kernel may win. */
const SMALL = 1 << 23

/** A matrix product that is ready to run: everything but the stream is settled. */
export interface ReadyProduct {
  run(stream: number): void
  dispose(): void
}

/** The addresses that a product works on. */
export interface ProductAddresses {
  readonly a: number
  readonly b: number
  readonly out: number
  readonly bias: number | undefined
  readonly workspace: number
  readonly workspaceBytes: number
}

/**
 * Chooses cuBLASLt's algorithm by measuring. Its matrices are column-major, where a row-major matrix is its transpose: so
 * out' = b' a' is computed, which is out = a b.
 */
export function readyProduct(
  device: Device,
  product: Product,
  addresses: ProductAddresses,
  plain: Way,
  stream: number,
): ReadyProduct {
  const { blas, blasHandle, options } = device
  const { rows, columns, inner, transposeA, transposeB, relu } = product
  const made = out64()
  const undo: (() => void)[] = []
  const dispose = (): void => {
    for (const each of undo.splice(0).reverse()) each()
  }
  try {
    blas.cublasLtMatmulDescCreate(made, options.precision === 'fp32' ? COMPUTE.exact : COMPUTE.tf32, FLOAT)
    const task = readPointer(made)
    undo.push(() => blas.cublasLtMatmulDescDestroy(task))
    const setInt = (attribute: number, value: number): void => {
      const place = Buffer.alloc(4)
      place.writeInt32LE(value)
      blas.cublasLtMatmulDescSetAttribute(task, attribute, place, 4)
    }
    setInt(TRANSPOSE_A, transposeB ? 1 : 0)
    setInt(TRANSPOSE_B, transposeA ? 1 : 0)
    const withBias = addresses.bias !== undefined
    setInt(
      EPILOGUE,
      withBias ? (relu ? EPILOGUES.both : EPILOGUES.bias) : relu ? EPILOGUES.relu : EPILOGUES.none,
    )
    if (addresses.bias !== undefined) {
      const place = out64()
      place.writeBigUInt64LE(BigInt(addresses.bias))
      blas.cublasLtMatmulDescSetAttribute(task, BIAS_POINTER, place, 8)
    }
    const layout = (rowCount: number, columnCount: number): number => {
      blas.cublasLtMatrixLayoutCreate(made, FLOAT, rowCount, columnCount, rowCount)
      const layoutMade = readPointer(made)
      undo.push(() => blas.cublasLtMatrixLayoutDestroy(layoutMade))
      return layoutMade
    }
    const first = transposeB ? layout(inner, columns) : layout(columns, inner)
    const second = transposeA ? layout(rows, inner) : layout(inner, rows)
    const result = layout(columns, rows)
    blas.cublasLtMatmulPreferenceCreate(made)
    const preference = readPointer(made)
    undo.push(() => blas.cublasLtMatmulPreferenceDestroy(preference))
    const most = out64()
    most.writeBigUInt64LE(BigInt(addresses.workspaceBytes))
    blas.cublasLtMatmulPreferenceSetAttribute(preference, MOST_WORKSPACE, most, 8)
    const found = Buffer.alloc(RESULT * CANDIDATES)
    const count = Buffer.alloc(4)
    blas.cublasLtMatmulAlgoGetHeuristic(
      ...[blasHandle, task, first, second, result, result, preference, CANDIDATES, found, count],
    )
    const algorithms = Array.from({ length: count.readInt32LE() }, (_, i) =>
      found.subarray(i * RESULT, i * RESULT + ALGORITHM),
    )
    const [one, zero] = [Buffer.alloc(4), Buffer.alloc(4)]
    one.writeFloatLE(1)
    const call = (algorithm: Buffer, on: number): void => {
      blas.cublasLtMatmul(
        ...[blasHandle, task, one, addresses.b, first, addresses.a, second],
        ...[zero, addresses.out, result, addresses.out, result, algorithm],
        ...[addresses.workspace, addresses.workspaceBytes, on],
      )
    }
    const isSmall = rows * columns * inner <= SMALL
    const ways: readonly Way[] = [
      ...(isSmall || algorithms.length === 0 ? [plain] : []),
      ...algorithms.map((algorithm) => (on: number) => call(algorithm, on)),
    ]
    const key = `product ${options.precision} ${[rows, columns, inner, transposeA, transposeB, relu, withBias].join(' ')}`
    return { run: chosen(device, key, ways, stream), dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

/** The fastest way, measured once for each kind of task; the first where none works, whose error then says why. */
function chosen(device: Device, key: string, ways: readonly Way[], stream: number): Way {
  const known = device.cache.choice(key)
  if (known !== undefined && known < ways.length) return ways[known]
  const candidates = ways.map((way, number) => ({ number, make: () => way }))
  const best = fastest(device, candidates, stream, REPEATS) ?? 0
  return ways[device.cache.choose(key, best)] ?? ways[best]
}
