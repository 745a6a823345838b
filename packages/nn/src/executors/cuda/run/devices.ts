import { RlviError } from 'rlvi'
import { openBlasLt } from '../driver/cublaslt.js'
import type { Driver } from '../driver/cuda.js'
import { openDriver } from '../driver/cuda.js'
import { openDnn } from '../driver/cudnn.js'
import { loadKoffi } from '../driver/library.js'
import { openCompiler } from '../driver/nvrtc.js'

/** An NVIDIA card. */
export interface CudaDevice {
  readonly number: number
  readonly name: string
  /** Such as 9.0. */
  readonly capability: string
  readonly bytes: number
}

/** What there is to compute with. */
export interface CudaReport {
  readonly devices: readonly CudaDevice[]
  /** The libraries that were found, where and of which version; or what to do about one that was not. */
  readonly libraries: readonly {
    readonly name: string
    readonly path?: string
    readonly version?: string
    readonly problem?: string
  }[]
}

const MAJOR = 75
const MINOR = 76

export function capabilityOf(driver: Driver, ordinal: number): number {
  const attribute = (which: number): number => {
    const place = Buffer.alloc(4)
    driver.cuDeviceGetAttribute(place, which, ordinal)
    return place.readInt32LE()
  }
  return 10 * attribute(MAJOR) + attribute(MINOR)
}

/** What compilers call cards of a capability, such as 9.0. */
export function architectureOf(capability: string): string {
  return `sm_${capability.replace('.', '')}`
}

/** The version of CUDA whose libraries a driver takes. */
export function majorOf({ cuda }: Driver): number {
  return Math.floor(Number(cuda))
}

/** As people write it. */
const shown = (capability: number): string => `${Math.floor(capability / 10)}.${capability % 10}`

export function tooOld(capability: number): RlviError {
  const rule = 'bf16 needs a card of capability 8.0 or later'
  return new RlviError('cuda', rule, shown(capability), 'choose fp32')
}

/**
 * The cards of this machine, and the libraries that drive them. Nothing is thrown: what is missing is in the report.
 *
 * @example
 * const { devices, libraries } = await cudaDevices()
 */
export async function cudaDevices(
  options: { readonly libraries?: readonly string[] } = {},
): Promise<CudaReport> {
  const folders = options.libraries ?? []
  const libraries: CudaReport['libraries'][number][] = []
  let devices: readonly CudaDevice[] = []
  let cuda: number | undefined
  try {
    const koffi = await loadKoffi()
    const look = (name: string, open: () => { path: string; version?: string }): void => {
      try {
        const { path, version } = open()
        libraries.push({ name, path, ...(version === undefined ? {} : { version }) })
      } catch (error) {
        libraries.push({ name, problem: (error as Error).message })
      }
    }
    look('driver', () => {
      const driver = openDriver(koffi, folders)
      cuda = majorOf(driver)
      devices = listed(driver)
      return { path: driver.path, version: driver.cuda }
    })
    look('nvrtc', () => {
      const compiler = openCompiler(koffi, folders, cuda)
      const problems = devices.map(({ capability }) => compiler.problemWith(architectureOf(capability)))
      // One card that it knows is enough.
      const [problem] = problems
      if (problem && problems.every((each) => each !== undefined)) throw problem
      return compiler
    })
    look('cublasLt', () => openBlasLt(koffi, folders, cuda))
    look('cudnn', () => openDnn(koffi, folders, cuda))
  } catch (error) {
    libraries.push({ name: 'koffi', problem: (error as Error).message })
  }
  return { devices, libraries }
}

function listed(driver: Driver): readonly CudaDevice[] {
  driver.cuInit(0)
  const place = Buffer.alloc(4)
  driver.cuDeviceGetCount(place)
  return Array.from({ length: place.readInt32LE() }, (_, number) => {
    driver.cuDeviceGet(place, number)
    const ordinal = place.readInt32LE()
    const name = Buffer.alloc(256)
    driver.cuDeviceGetName(name, name.length, ordinal)
    const bytes = Buffer.alloc(8)
    driver.cuDeviceTotalMem_v2(bytes, ordinal)
    const capability = capabilityOf(driver, ordinal)
    return {
      number,
      name: name.toString('utf8', 0, name.indexOf(0)),
      capability: shown(capability),
      bytes: Number(bytes.readBigUInt64LE()),
    }
  })
}
