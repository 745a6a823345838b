import { describe, expect, it } from 'vitest'
import { bind, CudaError, type Koffi, type Library, openLibrary } from './library.js'

const library = (status: number): Library => ({
  name: 'cuda',
  path: 'libcuda.so.1',
  func: (name) => {
    if (name === 'cuMissing') throw new Error('Cannot find function')
    return () => status
  },
})

describe('calls', () => {
  it('return nothing when they succeed, and name the call and the reason when they do not', () => {
    const signatures = { cuMemAlloc_v2: ['void *', 'size_t'], cuMissing: [] } as const
    const fine = bind(library(0), signatures, () => '')
    expect(fine.cuMemAlloc_v2(null, 1)).toBe(undefined)
    const failing = bind(library(2), signatures, () => 'CUDA_ERROR_OUT_OF_MEMORY: out of memory')
    expect(() => failing.cuMemAlloc_v2(null, 1)).toThrow(
      'cuda: cuMemAlloc_v2 must succeed, got 2, CUDA_ERROR_OUT_OF_MEMORY: out of memory; the card is out of memory: use a smaller batch',
    )
    expect(failing.status('cuMemAlloc_v2', null, 1)).toBe(2)
    expect(() => fine.cuMissing()).toThrow('libcuda.so.1 must have the function cuMissing')
  })

  it('say that the checkpoint is whole when the device was lost', () => {
    expect(new CudaError('cuGraphLaunch', 719, 'unspecified launch failure').message).toContain(
      'the device was lost: start again; a checkpoint that was written is whole',
    )
    expect(new CudaError('cudnnCreate', 1001, 'not initialised').message).toContain('fit together')
  })
})

describe('libraries', () => {
  it('are taken from the first place that has them, and else it is said where they were looked for', () => {
    const tried: string[] = []
    const koffi = {
      load: (path: string) => {
        tried.push(path)
        if (path === 'libnvrtc.so.12') return { func: () => () => 0, unload: () => undefined }
        throw new Error('Failed to load shared library: no such file')
      },
    } as unknown as Koffi
    expect(openLibrary(koffi, 'nvrtc').path).toBe('libnvrtc.so.12')
    expect(tried.slice(0, 2)).toEqual(['libnvrtc.so.13', 'libnvrtc.so.12'])
    expect(() => openLibrary(koffi, 'cudnn')).toThrow(
      /the library cudnn is needed, got "none"; install cuDNN 9, .*RLVI_CUDA_LIBRARIES; tried libcudnn\.so\.9 \(no such file\)/,
    )
    expect(() => openLibrary(koffi, 'cublasLt', [], 12)).toThrow(
      /the library cublasLt, for CUDA 12, the latest that the driver knows, is needed, got "none"; .*`pip install nvidia-cublas-cu12`.*; tried libcublasLt\.so\.12 \(/,
    )
  })
})
