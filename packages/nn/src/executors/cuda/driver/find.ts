import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { type PlatformPath, posix, win32 } from 'node:path'

/** The libraries that the executor drives. */
export type LibraryName = 'cuda' | 'nvrtc' | 'cublasLt' | 'cudnn'

/** The version of CUDA that is asked for where the driver does not say which is its latest. */
export const NEWEST_CUDA = 13
export const OLDEST_CUDA = 12

/** A file, and the version of CUDA that it is of, if its name says it. */
type File = readonly [name: string, cuda?: number]

/** What each library is called, newest first. */
const files: Readonly<
  Record<LibraryName, { readonly linux: readonly File[]; readonly windows: readonly File[] }>
> = {
  cuda: { linux: [['libcuda.so.1']], windows: [['nvcuda.dll']] },
  nvrtc: {
    linux: [
      ['libnvrtc.so.13', 13],
      ['libnvrtc.so.12', 12],
    ],
    windows: [
      ['nvrtc64_130_0.dll', 13],
      ['nvrtc64_120_0.dll', 12],
    ],
  },
  cublasLt: {
    linux: [
      ['libcublasLt.so.13', 13],
      ['libcublasLt.so.12', 12],
    ],
    windows: [
      ['cublasLt64_13.dll', 13],
      ['cublasLt64_12.dll', 12],
    ],
  },
  cudnn: { linux: [['libcudnn.so.9']], windows: [['cudnn64_9.dll']] },
}

/** Where a library comes from, for drivers that know CUDA up to a version. */
export function advice(name: LibraryName, cuda: number = NEWEST_CUDA): string {
  const old = cuda < NEWEST_CUDA
  switch (name) {
    case 'cuda':
      return 'install the NVIDIA driver (580 or later for CUDA 13, 525 for CUDA 12)'
    case 'nvrtc':
      return `install the CUDA toolkit${old ? ' 12' : ''}, or \`pip install nvidia-cuda-nvrtc${old ? '-cu12' : ''}\``
    case 'cublasLt':
      return `install the CUDA toolkit${old ? ' 12' : ''}, or \`pip install nvidia-cublas${old ? '-cu12' : ''}\``
    case 'cudnn':
      return `install cuDNN 9${old ? ' for CUDA 12' : ''}, or \`pip install nvidia-cudnn-cu${old ? 12 : 13}\``
  }
}

/** The environment variable that names folders with the libraries, before all others. */
export const LIBRARIES_VARIABLE = 'RLVI_CUDA_LIBRARIES'

/** What the search depends on; tests give their own. */
export interface Surroundings {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  list(folder: string): readonly string[]
  exists(path: string): boolean
}

export const surroundings: Surroundings = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  list: (folder) => {
    try {
      return readdirSync(folder)
    } catch {
      return []
    }
  },
  exists: existsSync,
}

/**
 * Where a library may be, best first: folders that the caller or the environment names, the loader's own path (a bare file
 * name), the folders of pip's packages, the usual folders of the system. None is of a later CUDA than the driver knows.
 */
export function candidates(
  name: LibraryName,
  folders: readonly string[] = [],
  cuda: number = NEWEST_CUDA,
  around: Surroundings = surroundings,
): readonly string[] {
  const { platform, env } = around
  const { delimiter, join } = pathsOf(around)
  const known = platform === 'win32' ? files[name].windows : files[name].linux
  const names = known.filter(([, own = 0]) => own <= cuda).map(([file]) => file)
  const named = [...folders, ...(env[LIBRARIES_VARIABLE] ?? '').split(delimiter)].filter((f) => f !== '')
  const inFolders = (list: readonly string[]): string[] =>
    list.flatMap((folder) => names.map((file) => join(folder, file))).filter((path) => around.exists(path))
  return [
    ...inFolders(named),
    ...names,
    ...inFolders(pipFolders(around)),
    ...inFolders(systemFolders(around)),
  ]
}

function pathsOf({ platform }: Surroundings): PlatformPath {
  return platform === 'win32' ? win32 : posix
}

/** Where packages of pip have libraries, in the Python environments that are active, on the path or the user's own. */
function pipFolders(around: Surroundings): readonly string[] {
  const { join } = pathsOf(around)
  return [...new Set(packageFolders(around))].flatMap((packages) => {
    const nvidia = join(packages, 'nvidia')
    return around
      .list(nvidia)
      .flatMap((library) => ['lib', 'bin', 'bin/x86_64'].map((own) => join(nvidia, library, own)))
  })
}

function packageFolders(around: Surroundings): readonly string[] {
  const { platform, env, home, list } = around
  const { delimiter, dirname, join } = pathsOf(around)
  const given = (paths: ReadonlyArray<string | undefined>): string[] =>
    paths.filter((path): path is string => path !== undefined && path !== '')
  const active = [env.VIRTUAL_ENV, env.CONDA_PREFIX]
  const onPath = given((env.PATH ?? env.Path ?? '').split(delimiter))
  if (platform === 'win32') {
    // Python itself lies in the folder of an environment, its programs in Scripts.
    const prefixes = given([...active, ...onPath.flatMap((path) => [path, dirname(path)])])
    const own = env.APPDATA === undefined ? [] : [join(env.APPDATA, 'Python')]
    return [
      ...prefixes.map((prefix) => join(prefix, 'Lib', 'site-packages')),
      ...own.flatMap((folder) =>
        pythons(list(folder)).map((python) => join(folder, python, 'site-packages')),
      ),
    ]
  }
  const prefixes = given([...active, ...onPath.map(dirname), join(home, '.local'), '/usr/local', '/usr'])
  return prefixes.flatMap((prefix) => {
    const lib = join(prefix, 'lib')
    return pythons(list(lib)).flatMap((python) =>
      ['site-packages', 'dist-packages'].map((packages) => join(lib, python, packages)),
    )
  })
}

const pythons = (entries: readonly string[]): readonly string[] =>
  entries.filter((entry) => /^python3/i.test(entry))

function systemFolders(around: Surroundings): readonly string[] {
  const { platform, env, list } = around
  const { join } = pathsOf(around)
  const own = [env.CUDA_HOME, env.CUDA_PATH].filter((path): path is string => (path ?? '') !== '')
  // CUDA 13 has its libraries in a folder of their own.
  if (platform === 'win32') return own.flatMap((path) => [join(path, 'bin', 'x64'), join(path, 'bin')])
  const versions = list('/usr/local')
    .filter((entry) => entry.startsWith('cuda-'))
    .sort()
    .reverse()
  return [
    ...own,
    '/usr/local/cuda',
    ...versions.map((entry) => join('/usr/local', entry)),
    '/usr/local/nvidia',
    '/usr',
  ]
    .flatMap((path) => [join(path, 'lib64'), join(path, 'lib')])
    .concat(['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib/wsl/lib'])
}
