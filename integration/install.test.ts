import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Project, packedProject, root } from './packed.js'
import { openRegistry, type Registry } from './registry.js'

let packed: Project
let registry: Registry
let folder: string
let said: string

/** As a stranger installs: no settings of ours or his, install scripts allowed, and nothing to reach but the registry. */
async function install(...packages: string[]): Promise<string> {
  const settings = [
    '--registry',
    registry.url,
    '--cache',
    join(folder, '.cache'),
    '--userconfig',
    '/dev/null',
  ]
  const plain = ['--no-audit', '--no-fund', '--no-update-notifier']
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    http_proxy: 'http://127.0.0.1:1',
    no_proxy: '127.0.0.1',
  }
  const argv = ['install', ...settings, ...plain, ...packages]
  const { stdout, stderr } = await promisify(execFile)('npm', argv, { cwd: folder, env })
  return stdout + stderr
}

function rlvi(...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(join(folder, 'node_modules/.bin/rlvi'), argv, { cwd: folder, encoding: 'utf8' })
}

beforeAll(async () => {
  packed = packedProject()
  registry = await openRegistry(packed.packages)
  folder = mkdtempSync(join(tmpdir(), 'rlvi-install-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  said = await install('@rlvi/cli')
})

afterAll(async () => {
  await registry.close()
  packed.remove()
  rmSync(folder, { recursive: true, force: true })
})

describe('npm install of the command, from a registry alone', () => {
  it('warns of nothing, runs no script, and leaves out what only networks and pictures need', () => {
    expect(said).not.toMatch(/warn/i)
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly hasInstallScript?: boolean }>
    }
    const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(scripts).toEqual([])
    for (const name of ['onnxruntime-node', 'koffi', 'sharp', '@img', '@rlvi/paper'])
      expect([name, existsSync(join(folder, 'node_modules', name))]).toEqual([name, false])
  })

  it('gives a command that fits a file', () => {
    const { status, stdout } = rlvi('fit', join(root, 'examples/data/stars.csv'), '--target', 'log_light')
    expect([status, stdout]).toEqual([0, expect.stringContaining('linear fit of log_light')])
  })

  it.each(['train', 'audit'])('%s says what to install', (command) => {
    mkdirSync(join(folder, 'photos/cat'), { recursive: true })
    const { status, stdout, stderr } = rlvi(command, 'photos')
    const wanted = ['onnxruntime-node', 'sharp'].map((name) => `${name}@${versionOf(name)}`)
    expect(stderr).toBe(
      `network for photos: ${wanted.join(' and ')} are needed, got no such package; install with ` +
        `npm install --ignore-scripts ${wanted.join(' ')} (and -g if rlvi was installed so)\n`,
    )
    expect([status, stdout]).toEqual([1, ''])
  })

  it('and what it says works: both are there, without a script', async () => {
    const { stderr } = rlvi('train', 'photos')
    const said = /install with npm install (.*) \(/.exec(stderr)?.[1]?.split(' ') ?? []
    await install(...said)
    for (const name of ['cat', 'dog']) {
      mkdirSync(join(folder, 'photos', name), { recursive: true })
      writeFileSync(join(folder, 'photos', name, '1.png'), 'no picture')
    }
    expect(rlvi('train', 'photos').stderr).toMatch(/1\.png: an image that can be read is needed/)
  })
})

/** The version that the tests of this repository run with. */
function versionOf(name: string): string {
  const json = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(json) as { version: string }).version
}
