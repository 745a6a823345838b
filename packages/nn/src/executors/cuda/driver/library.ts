import { phrase, RlviError } from 'rlvi'
import { loadPart } from '../../../optional-part.js'
import { advice, candidates, LIBRARIES_VARIABLE, type LibraryName, NEWEST_CUDA } from './find.js'

/** What crosses the border: numbers, addresses, and memory that C may read or write. */
export type Argument = number | bigint | string | null | Uint8Array

type Foreign = (...values: readonly Argument[]) => number | bigint | string

/** The part of koffi that is used here. */
export interface Koffi {
  load(path: string): {
    func(name: string, result: string, parameters: readonly string[]): Foreign
    unload(): void
  }
  address(value: unknown): bigint
  view(address: bigint, length: number): ArrayBuffer
}

/** Loaded when first needed: who trains on the CPU never loads it. */
export async function loadKoffi(): Promise<Koffi> {
  const part = { name: 'koffi', version: '3.3.4' }
  return (await loadPart('cuda', part, () => import('koffi'))).default as unknown as Koffi
}

/** A library with its functions by name. */
export interface Library {
  readonly name: LibraryName
  /** The path that it was loaded from, or the bare name where the loader found it. */
  readonly path: string
  func(name: string, result: string, parameters: readonly string[]): Foreign
}

/** Loads a library from the first place that has it, of a CUDA that the driver knows. */
export function openLibrary(
  koffi: Koffi,
  name: LibraryName,
  folders: readonly string[] = [],
  cuda: number = NEWEST_CUDA,
): Library {
  const tried: string[] = []
  for (const path of candidates(name, folders, cuda)) {
    try {
      const library = koffi.load(path)
      return { name, path, func: (fn, result, parameters) => library.func(fn, result, parameters) }
    } catch (error) {
      tried.push(`${path} (${(error as Error).message.replace('Failed to load shared library: ', '')})`)
    }
  }
  const todo = `${advice(name, cuda)}, or name its folder in ${LIBRARIES_VARIABLE}; tried ${tried.join(', ')}`
  const which = cuda < NEWEST_CUDA ? `, for CUDA ${cuda}, the latest that the driver knows,` : ''
  throw new RlviError('cuda', `the library ${name}${which} is needed`, 'none', todo)
}

/** The parameters of functions that return a status: C types by name. */
export type Signatures = Readonly<Record<string, readonly string[]>>

/** The functions, each of which throws unless its status is 0. */
export type Checked<S extends Signatures> = { readonly [K in keyof S]: (...values: Argument[]) => void } & {
  /** The same function, but the status is returned. */
  status(name: keyof S, ...values: Argument[]): number
}

/** Binds functions that return a status; a failure names the call and what the library says of it. */
export function bind<S extends Signatures>(
  library: Library,
  signatures: S,
  describe: (status: number) => string,
): Checked<S> {
  const functions = new Map<keyof S, Foreign>()
  const get = (name: keyof S): Foreign => {
    const known = functions.get(name)
    if (known) return known
    let found: Foreign
    try {
      found = library.func(String(name), 'int', signatures[name])
    } catch {
      const rule = `${library.path} must have the function ${String(name)}`
      throw new RlviError('cuda', rule, 'none', advice(library.name))
    }
    functions.set(name, found)
    return found
  }
  const status = (name: keyof S, ...values: Argument[]): number => Number(get(name)(...values))
  const checked = Object.fromEntries(
    Object.keys(signatures).map((name) => [
      name,
      (...values: Argument[]) => {
        const code = status(name, ...values)
        if (code !== 0) throw new CudaError(name, code, describe(code))
      },
    ]),
  )
  return { ...checked, status } as Checked<S>
}

/** A call into a library that failed. */
export class CudaError extends RlviError {
  readonly call: string
  readonly code: number

  constructor(call: string, code: number, message: string) {
    super('cuda', `${call} must succeed`, phrase(`${code}, ${message}`), todoFor(call, code))
    this.call = call
    this.code = code
  }
}

function todoFor(call: string, code: number): string {
  if (!call.startsWith('cu') || call.startsWith('cublas') || call.startsWith('cudnn')) {
    return 'check that driver, CUDA and cuDNN fit together'
  }
  if (code === 2) return 'the card is out of memory: use a smaller batch, or end what else runs on it'
  if (code === 100 || code === 101) return 'no such device: see `rlvi devices`'
  if ([700, 702, 709, 715, 716, 717, 718, 719, 46].includes(code)) {
    return 'the device was lost: start again; a checkpoint that was written is whole'
  }
  return 'check that driver, CUDA and cuDNN fit together'
}

/** A place for one value that a call writes. */
export function out64(): Buffer {
  return Buffer.alloc(8)
}

export function readPointer(place: Buffer): number {
  return Number(place.readBigUInt64LE())
}
