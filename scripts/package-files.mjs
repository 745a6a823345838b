/**
 * What every package of ours has in common, written into each: metadata, which files are published, the licence.
 *
 *   node scripts/package-files.mjs          says what differs (part of the tests)
 *   node scripts/package-files.mjs --write  puts it right
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version, author, license, engines, repository } = JSON.parse(
  readFileSync(`${root}/package.json`, 'utf8'),
)

/** Compiled code, and the sources that its maps lead to; no tests, no helpers of tests, no notes of the compiler. */
const published = [
  'dist',
  'src',
  '!**/*.tsbuildinfo',
  '!**/*.test.ts',
  '!**/*.laws.ts',
  '!**/testing/**',
  '!**/testing.ts',
]

/** Fields in the order in which people look for them; what differs between packages is theirs. */
function completed(own, directory) {
  const { name, description, keywords = [], exports, bin, dependencies, devDependencies, ...rest } = own
  const isPublic = own.private !== true
  const all = {
    name,
    version,
    ...(isPublic ? {} : { private: true }),
    description,
    keywords: [...new Set(['robust', 'outliers', 'label-noise', ...keywords])],
    author,
    license,
    // Has an address once the root's package.json has one.
    repository: repository === undefined ? undefined : { ...repository, directory },
    type: 'module',
    engines,
    sideEffects: own.sideEffects ?? false,
    bin,
    imports: own.imports,
    exports: { ...exports, './package.json': './package.json' },
    files: bin === undefined ? published : ['bin', ...published],
    dependencies: sorted(dependencies),
    optionalDependencies: rest.optionalDependencies,
    peerDependencies: rest.peerDependencies,
    peerDependenciesMeta: rest.peerDependenciesMeta,
    devDependencies: sorted(devDependencies),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function sorted(list) {
  return list === undefined
    ? undefined
    : Object.fromEntries(Object.entries(list).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The files of all packages that are not as they should be; with `write`, they are put right. */
export function packageFiles(write = false) {
  const differing = []
  const keep = (path, wanted) => {
    if (existsSync(path) && readFileSync(path, 'utf8') === wanted) return
    differing.push(path.slice(root.length))
    if (write) writeFileSync(path, wanted)
  }
  for (const folder of readdirSync(`${root}/packages`)) {
    const own = `${root}packages/${folder}`
    if (!existsSync(`${own}/package.json`)) continue
    const json = JSON.parse(readFileSync(`${own}/package.json`, 'utf8'))
    keep(`${own}/package.json`, `${JSON.stringify(completed(json, `packages/${folder}`), null, 2)}\n`)
    if (json.private === true) continue
    keep(`${own}/LICENSE`, readFileSync(`${root}/LICENSE`, 'utf8'))
    if (!existsSync(`${own}/README.md`)) differing.push(`packages/${folder}/README.md`)
  }
  return differing
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === resolve(process.argv[1])) {
  const write = process.argv.includes('--write')
  const differing = packageFiles(write)
  for (const path of differing) console.log(`${path}: ${write ? 'written' : 'differs'}`)
  if (differing.length > 0 && !write) process.exitCode = 1
}
