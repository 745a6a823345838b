import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { normals, run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const at = (name: string): string => join(folder.path, name)
const bin = fileURLToPath(new URL('../../bin/rlvi.js', import.meta.url))
const z = normals(5)
const rows = Array.from({ length: 90 }, (_, i) => {
  const x = z()
  return [`case ${i}`, i % 30 === 4 ? 'NA' : x, 7, i, 1 + 2 * x + 0.1 * z() + (i % 12 === 0 ? 9 : 0)]
})
const path = folder.csv('cases.csv', [['case', 'x', 'same', 'nr', 'y'], ...rows])
const dataOf = (html: string): { below: number[]; worst: { head: { name: string }[]; rows: unknown[][] } } =>
  JSON.parse(/id="rlvi-data">(.*?)<\/script>/s.exec(html)![1]!)

test('the page has the numbers of the fit, all columns of the file, and why each was left out', async () => {
  const argv = ['fit', path, '--target', 'y', '--exclude', 'nr']
  const json = await runJson(...argv)
  const { status, remarks } = await run(...argv, '--report', at('cases.html'))
  expect(status).toBe(0)
  expect(remarks.at(-1)).toBe(`report: ${at('cases.html')}`)
  const html = readFileSync(at('cases.html'), 'utf8')
  const { below, worst } = dataOf(html)
  expect(below[50]).toBe(json.flagged)
  // What a report shows of a row is the file's own, so that its owner finds it; rows count from 1.
  const heads = worst.head.map(({ name }) => name)
  expect(heads.slice(-5)).toEqual(['case', 'x', 'same', 'nr', 'y'])
  for (const row of worst.rows) {
    const own = rows[(row[0] as number) - 1]!
    expect(row.slice(-5).map(String)).toEqual(own.map(String))
  }
  for (const [name, how] of [
    ['case', 'another text in every row'],
    ['same', 'it never varies'],
    ['nr', 'not asked for'],
    ['x', 'a number'],
    ['y', 'numbers, by a linear model'],
  ])
    expect(html).toMatch(new RegExp(`<strong>${name}</strong>(?:(?!<strong>)[\\s\\S])*${how}`))
  expect(html).toContain(`rlvi fit ${path} --target y --exclude nr --report ${at('cases.html')}`)
  expect(html).toContain('90 in the file, 87 used, 3 dropped for missing values')
})

test('a report changes no number of the fit', async () => {
  const plain = await runJson('fit', path, '--target', 'y', '--exclude', 'nr')
  const reported = await runJson('fit', path, '--target', 'y', '--exclude', 'nr', '--report', at('same.html'))
  expect({ ...reported, seconds: 0 }).toEqual({ ...plain, seconds: 0 })
})

test.each(['paper', 'ml', 'huber', 'sever', 'rrm'])(
  '%s has a report, without what it does not know',
  async (method) => {
    const file = at(`${method}.html`)
    const json = await runJson('fit', path, '--target', 'y', '--method', method, '--report', file)
    const html = readFileSync(file, 'utf8')
    expect(html).not.toContain('Share of bad rows:')
    const { level, source } = json.corruption
    const words = { relative: 'ranks rows by weight', assumed: 'were assumed to be bad' }[
      source as 'relative'
    ]
    expect(html).toContain(source === 'relative' || level !== null ? words : 'does not say how many')
  },
)

test('a report replaces no input and needs its ending', async () => {
  for (const file of [at('page.txt'), path])
    expect((await run('fit', path, '--target', 'y', '--report', file)).status).toBe(2)
  expect(readFileSync(path, 'utf8')).toMatch(/^case,x,same/)
})

test('Ctrl-C ends a fit at once, and nothing is left of its outputs', async () => {
  const lines = Array.from(
    { length: 200_000 },
    (_, i) => `${Math.sin(i)},${Math.cos(3 * i)},${Math.sin(7 * i)}`,
  )
  const long = folder.file('long.csv', `a,b,y\n${lines.join('\n')}\n`)
  const before = readdirSync(folder.path)
  const outputs = ['--report', at('stop.html'), '--rows', at('stop.csv'), '--save', at('stop.json')]
  for (const wait of [300, 1500]) {
    const child = spawn(process.execPath, [bin, 'fit', long, '--target', 'y', ...outputs], {
      stdio: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGINT'), wait)
    const ended = await new Promise((resolve) =>
      child.on('close', (status, signal) => resolve(signal ?? status)),
    )
    clearTimeout(timer)
    // On a fast machine it may have been done before.
    if (ended === 0) continue
    expect(ended).toBe('SIGINT')
    const left = readdirSync(folder.path).filter((name) => !before.includes(name))
    // Each file is there whole, or not at all.
    expect(left.filter((name) => !name.startsWith('stop.'))).toEqual([])
    if (existsSync(at('stop.html'))) expect(readFileSync(at('stop.html'), 'utf8')).toMatch(/<\/html>\n$/)
  }
})
