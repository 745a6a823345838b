import { type BlasLt, openBlasLt } from '../driver/cublaslt.js'
import { type Driver, openDriver } from '../driver/cuda.js'
import { type Dnn, openDnn } from '../driver/cudnn.js'
import { type Koffi, loadKoffi, out64, readPointer } from '../driver/library.js'
import { type Compiler, openCompiler } from '../driver/nvrtc.js'
import type { Precision } from '../plan/layout.js'
import { type Cache, openCache } from './cache.js'
import { capabilityOf, majorOf, tooOld } from './devices.js'
import { type KernelStore, kernelStore } from './kernels.js'

/** Which card is used, and how. */
export interface DeviceOptions {
  /** The number of the card. Default 0. */
  readonly device?: number
  readonly precision: Precision
  /** Only algorithms that give the same numbers every time. */
  readonly deterministic: boolean
  /** Folders to look for NVIDIA's libraries in, before all others. */
  readonly libraries: readonly string[]
  /** From so many entries on, a thread takes several neighbours. Tests take 1, for the kernels of large tensors on small ones. */
  readonly wideFrom?: number
}

/** A card made ready, with the libraries that drive it. */
export interface Device {
  readonly koffi: Koffi
  readonly driver: Driver
  readonly compiler: Compiler
  readonly blas: BlasLt
  readonly dnn: Dnn
  readonly blasHandle: number
  readonly dnnHandle: number
  readonly architecture: string
  readonly options: DeviceOptions
  readonly kernels: KernelStore
  readonly cache: Cache
  /** Bytes that were copied to the card once, and stay there as long as the process. */
  stored(bytes: Uint8Array): number
  allocate(bytes: number): number
  free(address: number): void
  makeStream(): number
  /** Something to mark a place in a stream with, to wait for. */
  makeMark(): number
  /** Waits for the work before a mark; other work of the process goes on meanwhile. */
  wait(mark: number): Promise<void>
  /** Milliseconds of device time that some work takes when repeated, the median of some runs. */
  time(stream: number, work: () => void, runs: number, repeats?: number): number
  /** Milliseconds of device time from before some work, which may launch graphs, to after it. */
  elapsed(stream: number, work: () => void): number
}

/** The capability from which on 16-bit numbers of this kind are multiplied. */
const BF16_FROM = 80

export async function openDevice(options: DeviceOptions): Promise<Device> {
  const koffi = await loadKoffi()
  const driver = openDriver(koffi, options.libraries)
  driver.cuInit(0)
  const place = Buffer.alloc(4)
  driver.cuDeviceGet(place, options.device ?? 0)
  const ordinal = place.readInt32LE()
  const capability = capabilityOf(driver, ordinal)
  if (options.precision === 'bf16' && capability < BF16_FROM) throw tooOld(capability)
  const cuda = majorOf(driver)
  // The compiler and cuBLASLt come first: cuDNN asks for them by name, and then gets these.
  const compiler = openCompiler(koffi, options.libraries, cuda)
  const blas = openBlasLt(koffi, options.libraries, cuda)
  const dnn = openDnn(koffi, options.libraries, cuda)
  const context = out64()
  driver.cuDevicePrimaryCtxRetain(context, ordinal)
  driver.cuCtxSetCurrent(readPointer(context))
  const handle = out64()
  blas.cublasLtCreate(handle)
  const blasHandle = readPointer(handle)
  dnn.cudnnCreate(handle)
  const dnnHandle = readPointer(handle)
  const architecture = `sm_${capability}`

  const cache = openCache(`${architecture} ${compiler.version} ${blas.version} ${dnn.version}`)
  const stored = new WeakMap<Uint8Array, number>()
  const event = (): number => {
    const made = out64()
    driver.cuEventCreate(made, 0)
    return readPointer(made)
  }
  const elapsed = (stream: number, work: () => void): number => {
    const [start, end] = [event(), event()]
    driver.cuEventRecord(start, stream)
    work()
    driver.cuEventRecord(end, stream)
    driver.cuEventSynchronize(end)
    const ms = Buffer.alloc(4)
    driver.cuEventElapsedTime(ms, start, end)
    driver.cuEventDestroy_v2(start)
    driver.cuEventDestroy_v2(end)
    return ms.readFloatLE()
  }
  return {
    koffi,
    driver,
    compiler,
    blas,
    dnn,
    blasHandle,
    dnnHandle,
    architecture,
    options,
    kernels: kernelStore(compiler, driver, architecture, cache),
    cache,
    stored(bytes) {
      const there = stored.get(bytes)
      if (there !== undefined) return there
      const made = out64()
      driver.cuMemAlloc_v2(made, Math.max(bytes.length, 256))
      const address = readPointer(made)
      driver.cuMemcpyHtoD_v2(address, bytes, bytes.length)
      stored.set(bytes, address)
      return address
    },
    allocate(bytes) {
      const made = out64()
      driver.cuMemAlloc_v2(made, Math.max(bytes, 256))
      return readPointer(made)
    },
    free: (address) => driver.cuMemFree_v2(address),
    makeStream() {
      const made = out64()
      driver.cuStreamCreate(made, 1)
      return readPointer(made)
    },
    makeMark() {
      const made = out64()
      driver.cuEventCreate(made, NO_TIMING)
      return readPointer(made)
    },
    async wait(mark) {
      const started = performance.now()
      for (;;) {
        const status = driver.status('cuEventQuery', mark)
        if (status === 0) return
        if (status !== NOT_READY) {
          driver.cuEventSynchronize(mark)
          return
        }
        const waited = performance.now() - started
        // Short work is waited for on the spot, longer work lets others in.
        if (waited > 0.2) await (waited > 20 ? pause() : breath())
      }
    },
    time(stream, work, runs, repeats = 1) {
      // As a graph, so that small kernels are not waiting for the host.
      const place = out64()
      driver.cuStreamBeginCapture_v2(stream, RELAXED)
      try {
        for (let repeat = 0; repeat < repeats; repeat++) work()
        driver.cuStreamEndCapture(stream, place)
      } catch (error) {
        // The recording ends in any case; what went wrong first is what counts.
        driver.status('cuStreamEndCapture', stream, place)
        throw error
      }
      const graph = readPointer(place)
      driver.cuGraphInstantiateWithFlags(place, graph, 0)
      const ready = readPointer(place)
      // The first launch also loads the graph.
      const launch = (): number => elapsed(stream, () => driver.cuGraphLaunch(ready, stream)) / repeats
      launch()
      const times = Array.from({ length: runs }, launch)
      driver.cuGraphExecDestroy(ready)
      driver.cuGraphDestroy(graph)
      return times.sort((x, y) => x - y)[runs >> 1]
    },
    elapsed,
  }
}

const RELAXED = 2
const NO_TIMING = 2
const NOT_READY = 600

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
