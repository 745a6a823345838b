import { spawn } from 'node:child_process'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Packed, root } from './packed.js'

/** A package of some version, and its tarball. */
interface Release {
  readonly json: { readonly name: string; readonly version: string }
  tarball(): Readable
}

export interface Registry {
  readonly url: string
  close(): Promise<void>
}

/** An npm registry on this machine: our packages as packed, and those of other people as they are installed here. */
export async function openRegistry(packages: readonly Packed[]): Promise<Registry> {
  const releases = [...packages.map(ours), ...installed()]
  const server = createServer((request, response) => {
    const [, place = '', version] = /^\/([^?]*?)(?:\/-\/([^/]+)\.tgz)?$/.exec(request.url ?? '') ?? []
    const name = decodeURIComponent(place)
    const found = releases.filter(({ json }) => json.name === name)
    const asked = found.find(({ json }) => json.version === version)
    if (found.length === 0 || (version !== undefined && asked === undefined)) response.writeHead(404).end()
    else if (asked !== undefined) asked.tarball().pipe(response)
    else response.end(JSON.stringify(document(name, found, `http://${request.headers.host}`)))
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function document(name: string, found: readonly Release[], host: string): object {
  const versions = found.map(({ json }) => {
    const dist = { tarball: `${host}/${name}/-/${json.version}.tgz` }
    return [json.version, { ...json, dist }]
  })
  return { name, 'dist-tags': { latest: found[0]?.json.version }, versions: Object.fromEntries(versions) }
}

function ours({ folder, tarball }: Packed): Release {
  return { json: jsonOf(folder), tarball: () => createReadStream(tarball) }
}

/** What the lockfile names and this platform has; a registry's tarballs need not be compressed. */
function installed(): Release[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly link?: boolean }>
  }
  return Object.entries(packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
    .map(([path]) => join(root, path))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ json: jsonOf(folder), tarball: () => packedFolder(folder) }))
}

function packedFolder(folder: string): Readable {
  const flags = ['-cf', '-', '-C', folder, '--exclude=./node_modules', '--transform=s,^[.],package,', '.']
  return spawn('tar', flags, { stdio: ['ignore', 'pipe', 'ignore'] }).stdout
}

function jsonOf(folder: string): Release['json'] {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Release['json']
}
