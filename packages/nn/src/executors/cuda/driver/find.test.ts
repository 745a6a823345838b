import { expect, it } from 'vitest'
import { candidates, type Surroundings } from './find.js'

/** A machine with these files; folders are what lies before the last name. */
function machine(
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
  platform = 'linux',
): Surroundings {
  const between = platform === 'win32' ? '\\' : '/'
  return {
    platform,
    env,
    home: '/home/me',
    exists: (path) => files.includes(path),
    list: (folder) => [
      ...new Set(
        files
          .filter((file) => file.startsWith(`${folder}${between}`))
          .map((file) => file.slice(folder.length + 1).split(between)[0]),
      ),
    ],
  }
}

it('takes named folders first, then the loader, then pip, then the system', () => {
  const files = [
    '/mine/libcudnn.so.9',
    '/env/libcudnn.so.9',
    '/venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9',
    '/usr/local/cuda/lib64/libcudnn.so.9',
  ]
  const around = machine(files, { RLVI_CUDA_LIBRARIES: '/env:/nowhere', VIRTUAL_ENV: '/venv' })
  expect(candidates('cudnn', ['/mine'], 13, around)).toEqual([
    files[0],
    files[1],
    'libcudnn.so.9',
    files[2],
    files[3],
  ])
})

it('finds the packages of the Python that is on the path', () => {
  const file = '/opt/py/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13'
  const around = machine([file], { PATH: '/usr/bin:/opt/py/bin' })
  expect(candidates('nvrtc', [], 13, around)).toEqual(['libnvrtc.so.13', 'libnvrtc.so.12', file])
})

it('leaves it to the loader where there is nothing else', () => {
  expect(candidates('cuda', [], 13, machine([]))).toEqual(['libcuda.so.1'])
})

it('takes no library of a later CUDA than the driver knows', () => {
  const files = ['/opt/cuda/lib64/libcublasLt.so.12', '/opt/cuda/lib64/libcublasLt.so.13']
  const around = machine(files, { CUDA_HOME: '/opt/cuda' })
  expect(candidates('cublasLt', [], 13, around)).toEqual([
    'libcublasLt.so.13',
    'libcublasLt.so.12',
    files[1],
    files[0],
  ])
  expect(candidates('cublasLt', [], 12, around)).toEqual(['libcublasLt.so.12', files[0]])
})

it('knows where Windows has them', () => {
  const nvidia = 'C:\\py\\Lib\\site-packages\\nvidia'
  const files = [
    'D:\\mine\\cublasLt64_13.dll',
    `${nvidia}\\cu13\\bin\\x86_64\\cublasLt64_13.dll`,
    'C:\\me\\Python\\Python312\\site-packages\\nvidia\\cublas\\bin\\cublasLt64_12.dll',
    'C:\\CUDA\\v13.0\\bin\\x64\\cublasLt64_13.dll',
  ]
  const env = {
    RLVI_CUDA_LIBRARIES: 'D:\\nowhere;D:\\mine',
    Path: 'C:\\Windows;C:\\py\\Scripts',
    APPDATA: 'C:\\me',
    CUDA_PATH: 'C:\\CUDA\\v13.0',
  }
  expect(candidates('cublasLt', [], 13, machine(files, env, 'win32'))).toEqual([
    files[0],
    'cublasLt64_13.dll',
    'cublasLt64_12.dll',
    ...files.slice(1),
  ])
})
