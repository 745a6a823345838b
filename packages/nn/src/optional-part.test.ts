import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadPart, onnxRuntime } from './optional-part.js'

const manifest = new URL('../package.json', import.meta.url)

it('is asked for in the version that the tests run with', () => {
  const { peerDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    peerDependencies: Record<string, string>
  }
  expect(peerDependencies[onnxRuntime.name]).toBe(onnxRuntime.version)
})

it('says how to have it only where it is not there', async () => {
  const part = { name: 'no-such-part', version: '1.2.3' }
  const notFound = Object.assign(new Error("Cannot find package 'no-such-part' imported from x"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  await expect(loadPart('here', part, () => Promise.reject(notFound))).rejects.toThrow(
    'here: no-such-part@1.2.3 is needed, got no such package; install with npm install --ignore-scripts no-such-part@1.2.3',
  )
  const broken = new Error('a library of the system is missing')
  await expect(loadPart('here', part, () => Promise.reject(broken))).rejects.toBe(broken)
})
