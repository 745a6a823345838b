/**
 * Joins the compiled modules of packages that a small fit loads whole into a few files, `dist/joined`, for Node: it takes longer to
 * find and compile some hundred small modules than to fit. Bundlers and browsers get the modules as they are, of which they
 * take what is used. The modules of DuckDB's interface for Node, near to two hundred, are joined too, with their licence; its native part
 * stays where it is.
 */
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
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

const bindings = '@duckdb/node-bindings'
const duckdb = createRequire(new URL('../packages/tables/package.json', import.meta.url)).resolve(
  '@duckdb/node-api',
)
const licence = readFileSync(`${dirname(dirname(duckdb))}/LICENSE`, 'utf8')

/** Takes DuckDB's interface in, where `duckdb.ts` requires it. The native part is that of the interface which is installed. */
const withDuckDB = {
  name: 'with-duckdb',
  resolveId: (id) => (id === bindings ? `\0${bindings}` : undefined),
  load(id) {
    if (id.endsWith('/tables/dist/duckdb.js'))
      return `export { default as duckdb } from ${JSON.stringify(duckdb)}`
    if (id !== `\0${bindings}`) return undefined
    return `import { createRequire } from 'node:module'
const interface_ = createRequire(import.meta.url).resolve('@duckdb/node-api')
export default createRequire(interface_)('${bindings}')`
  },
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
    external: (id) => id !== bindings && !/^[./\0]/.test(id),
    plugins: [withDuckDB],
  })
  await bundle.write({
    dir: `${folder}dist/joined`,
    format: 'esm',
    chunkFileNames: '[name].js',
    minify: false,
    // By itself, so that the licence stands above what it is of.
    codeSplitting: { groups: [{ name: 'duckdb', test: /@duckdb/ }] },
    banner: ({ name: chunk }) => (chunk === 'duckdb' ? `/*! @duckdb/node-api\n${licence}*/` : ''),
  })
  await bundle.close()
}
