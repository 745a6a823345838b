import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('..', import.meta.url))

/** A package as it would be published. */
export interface Packed {
  readonly name: string
  readonly tarball: string
  /** Its files, unpacked into the `node_modules` of an empty project. */
  readonly folder: string
  readonly files: readonly string[]
}

/** An empty project in which our packages are installed from their tarballs, and nothing else of ours can be seen. */
export interface Project {
  readonly folder: string
  readonly packages: readonly Packed[]
  remove(): void
}

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

export function packedProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-packed-'))
  const modules = join(folder, 'node_modules')
  const own = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((path) => existsSync(join(path, 'package.json')))
    .map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as PackageJson)
    .filter((json) => json.private !== true)
  for (const json of own) for (const name of Object.keys(json.dependencies ?? {})) link(name, modules)
  const packages = pack(
    own.map((json) => json.name),
    folder,
  ).map(({ name, filename, files }): Packed => {
    const tarball = join(folder, filename)
    const place = join(modules, name)
    mkdirSync(place, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
    return { name, tarball, folder: place, files: files.map((file) => file.path) }
  })
  return { folder, packages, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

interface Tarball {
  readonly name: string
  readonly filename: string
  readonly files: readonly { path: string }[]
}

function pack(names: readonly string[], folder: string): Tarball[] {
  const which = names.map((name) => `--workspace=${name}`)
  const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, ...which], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(printed) as Tarball[]
}

/** Packages of other people are taken from where they are installed. */
function link(name: string, modules: string): void {
  const installed = join(root, 'node_modules', name)
  const place = join(modules, name)
  if (name === 'rlvi' || name.startsWith('@rlvi/') || existsSync(place)) return
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(installed, place, 'dir')
}
