import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { phrase, RlviError } from 'rlvi'
import { bind, type Checked, type Koffi, openLibrary, out64, readPointer } from './library.js'

const signatures = {
  nvrtcVersion: ['void *', 'void *'],
  nvrtcGetNumSupportedArchs: ['void *'],
  nvrtcGetSupportedArchs: ['void *'],
  nvrtcCreateProgram: ['void *', 'str', 'str', 'int', 'void *', 'void *'],
  nvrtcDestroyProgram: ['void *'],
  nvrtcCompileProgram: ['uint64', 'int', 'void *'],
  nvrtcGetCUBINSize: ['uint64', 'void *'],
  nvrtcGetCUBIN: ['uint64', 'void *'],
  nvrtcGetProgramLogSize: ['uint64', 'void *'],
  nvrtcGetProgramLog: ['uint64', 'void *'],
} as const

/** NVIDIA's run-time compiler. It needs no device. */
export interface Compiler {
  readonly path: string
  readonly version: string
  /** The word for a card that it cannot compile for, by the card's architecture; none where it can. */
  problemWith(architecture: string): RlviError | undefined
  /** Machine code for an architecture such as `sm_90`; source that does not compile is an error with the compiler's words. */
  compile(source: string, architecture: string): Uint8Array
}

export function openCompiler(koffi: Koffi, folders: readonly string[], cuda?: number): Compiler {
  const library = openLibrary(koffi, 'nvrtc', folders, cuda)
  loadBuiltins(koffi, library.path)
  const errorOf = library.func('nvrtcGetErrorString', 'str', ['int'])
  const nvrtc = bind(library, signatures, (code) => String(errorOf(code)))
  const [major, minor] = [Buffer.alloc(4), Buffer.alloc(4)]
  nvrtc.nvrtcVersion(major, minor)
  const version = `${major.readInt32LE()}.${minor.readInt32LE()}`
  const known = architecturesOf(nvrtc)
  const problemWith = (architecture: string): RlviError | undefined => {
    if (known.includes(architecture)) return undefined
    const todo =
      'install a newer CUDA for a newer card; 12 is the last one for cards of a capability below 7.5'
    return new RlviError('cuda', `NVRTC ${version} must know the card`, architecture, todo)
  }
  return {
    path: library.path,
    version,
    problemWith,
    compile(source, architecture) {
      const problem = problemWith(architecture)
      if (problem) throw problem
      const place = out64()
      nvrtc.nvrtcCreateProgram(place, source, 'rlvi.cu', 0, null, null)
      const program = readPointer(place)
      try {
        const texts = [`--gpu-architecture=${architecture}`, '--std=c++17', '-default-device'].map((text) =>
          Buffer.from(`${text}\0`),
        )
        const pointers = Buffer.alloc(8 * texts.length)
        texts.forEach((text, i) => {
          pointers.writeBigUInt64LE(koffi.address(text), 8 * i)
        })
        const failed = nvrtc.status('nvrtcCompileProgram', program, texts.length, pointers)
        if (failed !== 0) {
          const size = out64()
          nvrtc.nvrtcGetProgramLogSize(program, size)
          const log = Buffer.alloc(readPointer(size))
          nvrtc.nvrtcGetProgramLog(program, log)
          const words = log.toString('utf8').replace(/\0+$/, '').slice(0, 4000)
          throw new RlviError(
            'cuda',
            'kernels must compile',
            phrase(words),
            'report this with the network that did it',
          )
        }
        const size = out64()
        nvrtc.nvrtcGetCUBINSize(program, size)
        const binary = Buffer.alloc(readPointer(size))
        nvrtc.nvrtcGetCUBIN(program, binary)
        return binary
      } finally {
        nvrtc.nvrtcDestroyProgram(place)
      }
    },
  }
}

function architecturesOf(nvrtc: Checked<typeof signatures>): readonly string[] {
  const count = Buffer.alloc(4)
  nvrtc.nvrtcGetNumSupportedArchs(count)
  const all = Buffer.alloc(4 * count.readInt32LE())
  nvrtc.nvrtcGetSupportedArchs(all)
  return Array.from({ length: all.length / 4 }, (_, i) => `sm_${all.readInt32LE(4 * i)}`)
}

/** The compiler asks the loader for a second library by its bare name, which is only found beside it if it is loaded already. */
function loadBuiltins(koffi: Koffi, path: string): void {
  if (!isAbsolute(path)) return
  const folder = dirname(path)
  for (const file of readdirSync(folder)) {
    if (/^(lib)?nvrtc-builtins[\d_]*\.(so|dll)/.test(file)) koffi.load(join(folder, file))
  }
}
