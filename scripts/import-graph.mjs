/**
 * Who imports whom: prints the arrows between packages and holds them to the plan below. No package imports one that the plan
 * does not allow, none reaches into another's files, none uses what its package.json does not name, and no files import
 * each other in a circle.
 *
 *   node scripts/import-graph.mjs
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a package may import of ours. An arrow that is missing here is a decision to make, not a line to add. */
const allowed = {
  core: [],
  estimator: ['core'],
  report: ['core', 'estimator'],
  io: [],
  tables: ['core', 'estimator', 'io'],
  nn: ['core'],
  vision: ['core', 'nn', 'io'],
  paper: ['core', 'estimator', 'report', 'io', 'tables', 'nn', 'vision'],
  cli: ['core', 'estimator', 'report', 'io', 'tables', 'nn', 'vision', 'paper'],
}

/** These run in a browser as they are, but for the files that Node's threads begin with, which nobody imports. */
const withoutNode = ['core', 'estimator', 'report']
const threadFiles = ['packages/core/src/kernels/worker.ts']

function readPackage(folder) {
  const json = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  return {
    folder,
    name: json.name,
    dependencies: new Set(
      Object.keys({ ...json.dependencies, ...json.optionalDependencies, ...json.peerDependencies }),
    ),
    entries: new Set(Object.keys(json.exports)),
    files: sources(join(root, 'packages', folder, 'src')),
  }
}

/** What is built: no tests, no helpers of tests. */
function sources(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|laws)\.ts$|(^|\/)testing(\/|\.ts$)/.test(path))
    .map((path) => join(folder, path))
}

const statement =
  /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm

function importsOf(from) {
  const text = readFileSync(from, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return Array.from(text.matchAll(statement), ([whole, type, plain, dynamic]) => {
    const named = /\{([^}]*)\}/.exec(whole)?.[1]
    const onlyTypes = named?.split(',').every((name) => name.trim() === '' || /^type\s/.test(name.trim()))
    return { from, target: plain ?? dynamic ?? '', isType: type !== undefined || onlyTypes === true }
  })
}

/** `@rlvi/nn/ops` as its package and its subpath. */
function parts(specifier) {
  const words = specifier.split('/')
  const name = words.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  const rest = specifier.slice(name.length)
  return { name, entry: `.${rest}` }
}

/** A circle of files, if there is one. */
function circle(edges) {
  const done = new Set()
  const path = []
  const visit = (file) => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    path.push(file)
    for (const next of edges.get(file) ?? []) {
      const found = visit(next)
      if (found !== undefined) return found
    }
    path.pop()
    done.add(file)
    return undefined
  }
  for (const file of edges.keys()) {
    const found = visit(file)
    if (found !== undefined) return found
  }
  return undefined
}

const builtin = new Set(builtinModules)

/** The arrows between packages, and all that is wrong with them. */
export function importGraph() {
  const packages = readdirSync(join(root, 'packages')).filter((folder) =>
    existsSync(join(root, 'packages', folder, 'package.json')),
  )
  const all = packages.map(readPackage)
  const byName = new Map(all.map((each) => [each.name, each]))
  const arrows = new Map()
  const problems = []
  for (const own of all) {
    const plan = allowed[own.folder]
    if (plan === undefined)
      problems.push(`packages/${own.folder}: not in the plan of scripts/import-graph.mjs`)
    const to = new Set()
    arrows.set(own.folder, to)
    const edges = new Map()
    const used = new Set()
    for (const file of own.files) {
      const within = []
      edges.set(file, within)
      for (const { target, isType } of importsOf(file)) {
        const where = relative(root, file)
        if (target.startsWith('.')) {
          const found = resolve(dirname(file), target.replace(/\.js$/, '.ts'))
          if (relative(join(root, 'packages', own.folder), found).startsWith('..'))
            problems.push(`${where}: reaches into another package by ${target}`)
          // Types may refer to each other in circles; nothing is loaded for them.
          else if (!isType) within.push(found)
          continue
        }
        const { name, entry } = parts(target)
        used.add(name)
        if (target.startsWith('node:') || builtin.has(target)) {
          if (withoutNode.includes(own.folder) && !isType && !threadFiles.includes(where))
            problems.push(`${where}: ${target} is not there in a browser`)
          continue
        }
        if (name !== own.name && !own.dependencies.has(name))
          problems.push(`${where}: ${name} is not among the package's dependencies`)
        const other = byName.get(name)
        if (other === undefined) continue
        to.add(other.folder)
        if (!other.entries.has(entry)) problems.push(`${where}: ${target} is no entry of ${name}`)
        if (plan !== undefined && !plan.includes(other.folder))
          problems.push(`${where}: ${own.folder} must not import ${other.folder}`)
      }
    }
    const found = circle(edges)
    if (found !== undefined)
      problems.push(`a circle: ${found.map((file) => relative(root, file)).join(' -> ')}`)
    for (const name of own.dependencies)
      if (!used.has(name)) problems.push(`packages/${own.folder}: the dependency ${name} is not used`)
  }
  return { arrows, problems }
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === resolve(process.argv[1])) {
  const { arrows, problems } = importGraph()
  for (const [from, to] of arrows) {
    const plan = allowed[from] ?? []
    console.log(`${from.padEnd(10)} -> ${plan.filter((name) => to.has(name)).join(', ') || 'nothing'}`)
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
