import { RlviError } from 'rlvi'
import { advice, OLDEST_CUDA } from './find.js'
import { bind, type Checked, type Koffi, openLibrary } from './library.js'

const signatures = {
  cuInit: ['uint'],
  cuDriverGetVersion: ['void *'],
  cuDeviceGetCount: ['void *'],
  cuDeviceGet: ['void *', 'int'],
  cuDeviceGetName: ['void *', 'int', 'int'],
  cuDeviceGetAttribute: ['void *', 'int', 'int'],
  cuDeviceTotalMem_v2: ['void *', 'int'],
  cuDevicePrimaryCtxRetain: ['void *', 'int'],
  cuDevicePrimaryCtxRelease_v2: ['int'],
  cuCtxSetCurrent: ['uint64'],
  cuCtxSynchronize: [],
  cuMemGetInfo_v2: ['void *', 'void *'],
  cuMemAlloc_v2: ['void *', 'size_t'],
  cuMemFree_v2: ['uint64'],
  cuMemHostAlloc: ['void *', 'size_t', 'uint'],
  cuMemFreeHost: ['uint64'],
  cuMemcpyHtoD_v2: ['uint64', 'void *', 'size_t'],
  cuMemcpyDtoH_v2: ['void *', 'uint64', 'size_t'],
  cuMemcpyHtoDAsync_v2: ['uint64', 'uint64', 'size_t', 'uint64'],
  cuMemcpyDtoHAsync_v2: ['uint64', 'uint64', 'size_t', 'uint64'],
  cuMemcpyDtoDAsync_v2: ['uint64', 'uint64', 'size_t', 'uint64'],
  cuMemsetD8Async: ['uint64', 'uchar', 'size_t', 'uint64'],
  cuModuleLoadData: ['void *', 'void *'],
  cuModuleUnload: ['uint64'],
  cuModuleGetFunction: ['void *', 'uint64', 'str'],
  cuLaunchKernel: [
    'uint64',
    'uint',
    'uint',
    'uint',
    'uint',
    'uint',
    'uint',
    'uint',
    'uint64',
    'void *',
    'void *',
  ],
  cuStreamCreate: ['void *', 'uint'],
  cuStreamDestroy_v2: ['uint64'],
  cuStreamSynchronize: ['uint64'],
  cuStreamWaitEvent: ['uint64', 'uint64', 'uint'],
  cuEventCreate: ['void *', 'uint'],
  cuEventDestroy_v2: ['uint64'],
  cuEventRecord: ['uint64', 'uint64'],
  cuEventQuery: ['uint64'],
  cuEventSynchronize: ['uint64'],
  cuEventElapsedTime: ['void *', 'uint64', 'uint64'],
  cuStreamBeginCapture_v2: ['uint64', 'int'],
  cuStreamEndCapture: ['uint64', 'void *'],
  cuGraphInstantiateWithFlags: ['void *', 'uint64', 'uint64'],
  cuGraphDestroy: ['uint64'],
  cuGraphLaunch: ['uint64', 'uint64'],
  cuGraphExecDestroy: ['uint64'],
} as const

/** The driver's functions, each checked; `cuda` is the latest version of CUDA that it knows, such as 13.0. */
export type Driver = Checked<typeof signatures> & { readonly path: string; readonly cuda: string }

export function openDriver(koffi: Koffi, folders: readonly string[]): Driver {
  const library = openLibrary(koffi, 'cuda', folders)
  const nameOf = library.func('cuGetErrorName', 'int', ['int', 'void *'])
  const textOf = library.func('cuGetErrorString', 'int', ['int', 'void *'])
  const read = (get: typeof nameOf, code: number): string => {
    const place = Buffer.alloc(8)
    if (Number(get(code, place)) !== 0) return 'unknown error'
    const bytes = Buffer.from(koffi.view(place.readBigUInt64LE(), 200).slice(0))
    return bytes.toString('latin1', 0, Math.max(0, bytes.indexOf(0)))
  }
  const functions = bind(library, signatures, (code) => `${read(nameOf, code)}: ${read(textOf, code)}`)
  const version = Buffer.alloc(4)
  functions.cuDriverGetVersion(version)
  const number = version.readInt32LE()
  const cuda = `${Math.floor(number / 1000)}.${(number % 1000) / 10}`
  if (number < 1000 * OLDEST_CUDA) {
    throw new RlviError('cuda', `the driver must know CUDA ${OLDEST_CUDA} or later`, cuda, advice('cuda'))
  }
  return { ...functions, path: library.path, cuda }
}
