/**
 * Joins the compiled modules of packages that a small fit loads whole into a few files, `dist/joined`, for Node: it takes longer to
 * find and compile some hundred small modules than to fit. Bundlers and browsers get the modules as they are, of which they
 * take what is used.
 */
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Modules that are found by their files, beside the ones that look for them. */
const found = {
  core: { worker: 'kernels/worker.js' },
  tables: {
    sheets: 'inputs/sheets.js',
    'arrow-file': 'inputs/arrow-file.js',
    'pass-worker': 'passes/pass-worker.js',
  },
  cli: { main: 'main.js' },
}

for (const name of ['io', 'core', 'estimator', 'tables', 'cli']) {
  const folder = fileURLToPath(new URL(`../packages/${name}/`, import.meta.url))
  const { exports } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
  const input = { ...found[name] }
  for (const { node, default: module } of Object.values(exports))
    if (node !== undefined) input[node.match(/joined\/(.*)\.js$/)[1]] = module.replace('./dist/', '')
  for (const [entry, module] of Object.entries(input)) input[entry] = `${folder}dist/${module}`
  rmSync(`${folder}dist/joined`, { recursive: true, force: true })
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
  })
  await bundle.write({
    dir: `${folder}dist/joined`,
    format: 'esm',
    chunkFileNames: '[name].js',
    minify: false,
  })
  await bundle.close()
}
