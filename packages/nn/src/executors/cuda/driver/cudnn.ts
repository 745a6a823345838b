import { phrase, RlviError } from 'rlvi'
import { advice } from './find.js'
import { bind, type Checked, type Koffi, openLibrary } from './library.js'

const signatures = {
  cudnnCreate: ['void *'],
  cudnnDestroy: ['uint64'],
  cudnnSetStream: ['uint64', 'uint64'],
  cudnnBackendCreateDescriptor: ['int', 'void *'],
  cudnnBackendDestroyDescriptor: ['uint64'],
  cudnnBackendSetAttribute: ['uint64', 'int', 'int', 'int64', 'void *'],
  cudnnBackendGetAttribute: ['uint64', 'int', 'int', 'int64', 'void *', 'void *'],
  cudnnBackendFinalize: ['uint64'],
  cudnnBackendExecute: ['uint64', 'uint64', 'uint64'],
} as const

/** cuDNN's functions, each checked. */
export type Dnn = Checked<typeof signatures> & { readonly path: string; readonly version: string }

export function openDnn(koffi: Koffi, folders: readonly string[], cuda?: number): Dnn {
  const library = openLibrary(koffi, 'cudnn', folders, cuda)
  const version = Number(library.func('cudnnGetVersion', 'size_t', [])())
  const shown = `${Math.floor(version / 10000)}.${Math.floor(version / 100) % 100}.${version % 100}`
  if (Math.floor(version / 10000) !== 9) {
    throw new RlviError('cuda', 'cuDNN 9 is needed', shown, advice('cudnn', cuda))
  }
  // Its name does not say for which CUDA it was made.
  const made = Math.floor(Number(library.func('cudnnGetCudartVersion', 'size_t', [])()) / 1000)
  if (cuda !== undefined && made > cuda) {
    const rule = `cuDNN for CUDA ${cuda}, the latest that the driver knows, is needed`
    throw new RlviError('cuda', rule, phrase(`one for CUDA ${made}`), advice('cudnn', cuda))
  }
  const textOf = library.func('cudnnGetErrorString', 'str', ['int'])
  const last = library.func('cudnnGetLastErrorString', 'void', ['void *', 'size_t'])
  const describe = (code: number): string => {
    const words = Buffer.alloc(512)
    last(words, words.length)
    const detail = words.toString('utf8', 0, Math.max(0, words.indexOf(0)))
    return `${textOf(code)}${detail === '' ? '' : `: ${detail}`}`
  }
  return { ...bind(library, signatures, describe), path: library.path, version: shown }
}
