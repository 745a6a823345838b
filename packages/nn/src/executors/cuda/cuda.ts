import { RlviError } from 'rlvi'
import type { Executor } from '../executor.js'
import type { Precision } from './plan/layout.js'
import { type Device, openDevice } from './run/device.js'
import { type EnsembleMember, ensembleOf } from './run/ensemble.js'
import { compileProgram } from './run/program.js'
import { CudaVariables } from './run/variables.js'

/** Settings of the CUDA executor. */
export interface CudaOptions {
  /**
   * `fp32`: as exact as the reference in float32; `tf32`: products of numbers rounded to 10 bits; `bf16` (default): images
   * in 16 bits as well, the fastest. Parameters, sums and statistics are float32 always.
   */
  readonly precision?: Precision
  /** The number of the card, as `cudaDevices` lists them. Default 0. */
  readonly device?: number
  /** Only algorithms that give the same numbers every time. Default true. */
  readonly deterministic?: boolean
  /** Folders to look for NVIDIA's libraries in, before `RLVI_CUDA_LIBRARIES`, the loader's path and the usual ones. */
  readonly libraries?: readonly string[]
}

/**
 * Trains on an NVIDIA card: cuDNN's convolutions, cuBLASLt's products, and kernels that are compiled for the graph, all of it
 * recorded once and started by one call. Needs the driver and NVIDIA's libraries, but no compiler and no Python.
 *
 * @example
 * const training = await openTraining({ ...options, executor: cudaExecutor({ precision: 'bf16' }) })
 */
export function cudaExecutor(options: CudaOptions = {}): Executor {
  return executorOn(opener('cudaExecutor', options))
}

/** An executor on a card that is opened when it is first needed. */
export function executorOn(device: () => Promise<Device>): Executor {
  return {
    name: 'cuda',
    keepsImages: true,
    variables: () => new CudaVariables(),
    compile: async (graph, variables = new CudaVariables()) => {
      if (!(variables instanceof CudaVariables)) {
        throw new RlviError('compile', 'variables must come from this executor', variables.constructor.name)
      }
      const ready = await device()
      variables.declare(graph, ready)
      return compileProgram(ready, graph, variables)
    },
  }
}

/**
 * Executors for small networks that differ in nothing but their numbers, such as those of several seeds or noises: together they fill
 * a card, which one alone leaves mostly idle. Each is given to a training of its own, on the same images; all of them must be
 * trained at the same time, since each step waits for those of the others, and `leave` says that one has no more.
 *
 * @example
 * const members = cudaEnsemble(5, { precision: 'fp32' })
 * await Promise.all(members.map(async (executor, seed) => {
 *   const training = await openTraining({ ...options, seed, executor })
 *   for await (const { epoch, test } of training.epochs()) console.log(seed, epoch, test)
 *   await training.dispose()
 *   executor.leave()
 * }))
 */
export function cudaEnsemble(count: number, options: CudaOptions = {}): readonly EnsembleMember[] {
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_MEMBERS)) {
    throw new RlviError('cudaEnsemble', `count must be whole, from 1 to ${MOST_MEMBERS}`, count)
  }
  return ensembleOf(count, opener('cudaEnsemble', options))
}

/** Layers that a grid can have. */
const MOST_MEMBERS = 65535

/** What opens the card when it is first needed. */
function opener(where: string, options: CudaOptions): () => Promise<Device> {
  const { precision = 'bf16', deterministic = true, libraries = [], device = 0 } = options
  if (!['fp32', 'tf32', 'bf16'].includes(precision)) {
    throw new RlviError(where, 'precision must be fp32, tf32 or bf16', precision)
  }
  let opened: Promise<Device> | undefined
  return () => {
    opened ??= openDevice({ device, precision, deterministic, libraries })
    return opened
  }
}
