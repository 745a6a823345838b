import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const built = fileURLToPath(new URL('../dist/index.js', import.meta.url))

/** Writes down every module that is loaded. Hooks run on a thread of their own, so nothing is buffered. */
const hooks = `import { writeSync } from 'node:fs'
export async function load(url, context, next) { writeSync(1, url + '\\n'); return next(url, context) }`
const start = `import { register } from 'node:module'
register(${JSON.stringify(moduleUrl(hooks))})`

function moduleUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`
}

function loadedBy(name: string): string[] {
  const code = `await import(${JSON.stringify(name)})`
  const flags = ['--import', moduleUrl(start), '--input-type=module', '--eval', code]
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  return execFileSync(process.execPath, flags, { cwd, encoding: 'utf8' }).split('\n')
}

it.skipIf(!existsSync(built))('loads nothing of the paper, and no native library before it is used', () => {
  const loaded = loadedBy('@rlvi/vision')
  expect(loaded.some((url) => url.endsWith('/vision/dist/index.js'))).toBe(true)
  expect(loaded.some((url) => url.endsWith('/nn/dist/index.js'))).toBe(true)
  expect(loaded.filter((url) => /\/paper\/|\/(sharp|onnxruntime-node|koffi)\//.test(url))).toEqual([])
})
