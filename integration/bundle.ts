import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

export interface Bundle {
  readonly code: string
  /** Bytes minified and gzipped: what a page has to load. */
  readonly gzipped: number
}

/** One script for a browser, by the bundler that most people have, from a program in `folder`, whose packages it uses. */
export async function bundle(program: string, folder: string): Promise<Bundle> {
  const own = mkdtempSync(join(folder, '.bundle-'))
  try {
    const entry = join(own, 'entry.js')
    writeFileSync(entry, program)
    const built = await build({
      configFile: false,
      logLevel: 'error',
      root: own,
      build: { write: false, minify: true, lib: { entry, formats: ['iife'], name: 'rlvi' } },
    })
    const [first] = Array.isArray(built) ? built : [built]
    if (first === undefined || !('output' in first)) throw new Error('bundle: no output')
    const { code } = first.output[0]
    return { code, gzipped: gzipSync(code, { level: 9 }).length }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
