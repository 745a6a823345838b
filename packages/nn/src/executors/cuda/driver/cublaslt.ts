import { bind, type Checked, type Koffi, openLibrary } from './library.js'

const signatures = {
  cublasLtCreate: ['void *'],
  cublasLtDestroy: ['uint64'],
  cublasLtMatmulDescCreate: ['void *', 'int', 'int'],
  cublasLtMatmulDescDestroy: ['uint64'],
  cublasLtMatmulDescSetAttribute: ['uint64', 'int', 'void *', 'size_t'],
  cublasLtMatrixLayoutCreate: ['void *', 'int', 'uint64', 'uint64', 'int64'],
  cublasLtMatrixLayoutDestroy: ['uint64'],
  cublasLtMatmulPreferenceCreate: ['void *'],
  cublasLtMatmulPreferenceDestroy: ['uint64'],
  cublasLtMatmulPreferenceSetAttribute: ['uint64', 'int', 'void *', 'size_t'],
  cublasLtMatmulAlgoGetHeuristic: [
    'uint64',
    'uint64',
    'uint64',
    'uint64',
    'uint64',
    'uint64',
    'uint64',
    'int',
    'void *',
    'void *',
  ],
  cublasLtMatmul: [
    'uint64',
    'uint64',
    'void *',
    'uint64',
    'uint64',
    'uint64',
    'uint64',
    'void *',
    'uint64',
    'uint64',
    'uint64',
    'uint64',
    'void *',
    'uint64',
    'size_t',
    'uint64',
  ],
} as const

/** cuBLASLt's functions, each checked. */
export type BlasLt = Checked<typeof signatures> & { readonly path: string; readonly version: string }

export function openBlasLt(koffi: Koffi, folders: readonly string[], cuda?: number): BlasLt {
  const library = openLibrary(koffi, 'cublasLt', folders, cuda)
  const textOf = library.func('cublasLtGetStatusString', 'str', ['int'])
  const version = Number(library.func('cublasLtGetVersion', 'size_t', [])())
  const functions = bind(library, signatures, (code) => String(textOf(code)))
  const shown = `${Math.floor(version / 10000)}.${Math.floor(version / 100) % 100}.${version % 100}`
  return { ...functions, path: library.path, version: shown }
}
