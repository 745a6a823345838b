/**
 * THIRD_PARTY.md: every package that is installed with ours, or that ours can be told to install, with its version and licence, as the
 * packages themselves say.
 *
 *   node scripts/third-party.mjs           # does it still hold?
 *   node scripts/third-party.mjs --write
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = join(root, 'THIRD_PARTY.md')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const own = readdirSync(join(root, 'packages')).map((name) =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
)
const isOurs = (name) => own.some((one) => one.name === name)

/** Where Node would find a package, from the place of the one that asks for it. */
function placeOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules') - 1))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[place] !== undefined) return place
    if (at === '') return undefined
  }
}

/** All that these packages bring with them, by name and version. */
function withAll(names) {
  const found = new Map()
  const visit = (name, from) => {
    const place = placeOf(name, from)
    if (place === undefined || isOurs(name)) return
    const { version, license, dependencies, optionalDependencies } = packages[place]
    const key = `${name} ${version}`
    if (found.has(key)) return
    found.set(key, { name, version, license: license ?? 'not stated' })
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, place)
  }
  for (const name of names) visit(name, '')
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

function table(list) {
  const lines = list.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  return ['| package | version | licence |', '|---|---|---|', ...lines].join('\n')
}

const needed = withAll(own.flatMap(({ dependencies }) => Object.keys(dependencies ?? {})))
const names = new Set(needed.map(({ name }) => name))
const optional = withAll(own.flatMap(({ peerDependencies }) => Object.keys(peerDependencies ?? {}))).filter(
  ({ name }) => !names.has(name),
)
const text = `# Packages of others

Written by \`node scripts/third-party.mjs --write\` from the lock file; \`npm test\` holds it to that. Of packages that come in a build for each
system, one is installed.

## Installed with rlvi

${table(needed)}

## Optional parts

Installed only by who trains networks, reads image files, or reads Arrow files. sharp brings libvips, which is under the LGPL: it is linked at run time, and
can be replaced by another build.

${table(optional)}
`
if (process.argv.includes('--write')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('THIRD_PARTY.md: another list is needed; run: node scripts/third-party.mjs --write')
  process.exit(1)
}
