/**
 * Packs what a machine with a card needs that has Node.js and nothing else: the programs of this folder, the laws of the CUDA
 * executor, the command itself, koffi, and the golden numbers.
 *
 *   npm run build && node bench/gpu/pack.mjs FOLDER
 */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [out] = process.argv.slice(2)
if (out === undefined) throw new Error('usage: node bench/gpu/pack.mjs FOLDER')

const programs = {
  laws: 'packages/nn/src/executors/cuda/cuda.test.ts',
  check: 'bench/gpu/check.ts',
  step: 'bench/gpu/step.ts',
  repeat: 'bench/gpu/repeat.ts',
  cells: 'bench/gpu/cells.ts',
  rlvi: 'bench/gpu/rlvi.ts',
  'test-scores': 'bench/gpu/test-scores.ts',
  together: 'bench/gpu/together.ts',
}
rmSync(join(out, 'a'), { recursive: true, force: true })
for (const [name, input] of Object.entries(programs)) {
  const bundle = await rolldown({
    input: join(root, input),
    platform: 'node',
    external: ['koffi', /^onnxruntime-node/, /^@duckdb/, 'sharp'],
    resolve: { alias: { vitest: join(root, 'bench/gpu/small-vitest.ts') } },
    logLevel: 'silent',
  })
  await bundle.write({
    dir: join(out, 'a', name),
    format: 'esm',
    entryFileNames: `${name}.mjs`,
    chunkFileNames: '[name]-[hash].mjs',
  })
}
// The command reads its version from there.
cpSync(join(root, 'packages/cli/package.json'), join(out, 'a', 'package.json'))
mkdirSync(join(out, 'golden'), { recursive: true })
for (const file of readdirSync(join(root, 'packages/nn/golden'))) {
  cpSync(join(root, 'packages/nn/golden', file), join(out, 'golden', file))
}
// Networks need no tables, whose engine is large: its interface is part of the command, its native part is never called.
for (const [part, text] of [
  ['node-api', '{}'],
  ['node-bindings', "new Proxy({}, { get: (_, name) => (name === 'sizeof_bool' ? 1 : class {}) })"],
]) {
  const folder = join(out, 'node_modules/@duckdb', part)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.js'), `module.exports = ${text}\n`)
}
for (const name of ['koffi', '@koromix/koffi-linux-x64']) {
  cpSync(join(root, 'node_modules', name), join(out, 'node_modules', name), { recursive: true })
}
