import { createHash } from 'node:crypto'
import type { Driver } from '../driver/cuda.js'
import { out64, readPointer } from '../driver/library.js'
import type { Compiler } from '../driver/nvrtc.js'
import { prelude } from '../source/prelude.js'
import { tableSource } from '../source/tables.js'
import type { Cache } from './cache.js'

/** Compiled kernels by their text. */
export interface KernelStore {
  /** Compiles those that are not there yet, all at once. */
  prepare(texts: readonly string[]): void
  /** The function of a kernel that was prepared. */
  function(text: string): number
  /** A kernel that goes through a table, by its name in C. */
  table(name: string): number
}

export function kernelStore(
  compiler: Compiler,
  driver: Driver,
  architecture: string,
  cache: Cache,
): KernelStore {
  const functions = new Map<string, number>()
  const load = (source: string): ((name: string) => number) => {
    const key = `// ${architecture}, NVRTC ${compiler.version}\n${source}`
    const binary = cache.binary(key, () => compiler.compile(source, architecture))
    const place = out64()
    driver.cuModuleLoadData(place, binary)
    const module = readPointer(place)
    return (name) => {
      driver.cuModuleGetFunction(place, module, name)
      return readPointer(place)
    }
  }
  let tables: ((name: string) => number) | undefined
  return {
    prepare(texts) {
      const missing = [...new Set(texts)].filter((text) => !functions.has(text))
      if (missing.length === 0) return
      const find = load(sourceOf(missing))
      for (const text of missing) functions.set(text, find(nameOf(text)))
    },
    function: (text) => functions.get(text)!,
    table(name) {
      tables ??= load(`${prelude}${tableSource}`)
      const known = functions.get(name) ?? tables(name)
      functions.set(name, known)
      return known
    },
  }
}

/** A kernel's name in C. */
export function nameOf(text: string): string {
  return `k_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** One source file of some kernels. */
export function sourceOf(texts: readonly string[]): string {
  return `${prelude}\n${texts.map((text) => text.replace('KERNEL', nameOf(text))).join('\n')}`
}
