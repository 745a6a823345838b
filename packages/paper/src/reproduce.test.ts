import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { experiments, reproduce } from './reproduce.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rlvi-paper-'))
})
afterAll(() => rm(folder, { recursive: true }))

const quick = { runs: 2, seed: 4, json: false, threads: 1 }

describe('reproduce', () => {
  it.each(experiments)('%s writes a page, its figures and its records, whole', async (name) => {
    const out = join(folder, name)
    const small = name.endsWith('curve') || name === 'mean' ? { epsilons: [0, 0.2, 0.4] } : {}
    const { records, text, page } = await reproduce(name, { ...quick, ...small, out })
    expect(page).toBe(join(out, `${name}.html`))
    const files = await readdir(out)
    expect(files.filter((file) => file.endsWith('.part'))).toEqual([])
    const figures = files.filter((file) => file.endsWith('.svg'))
    const html = await readFile(page ?? '', 'utf8')
    expect(figures.length).toBeGreaterThan(0)
    expect(html.match(/<figure>/g)).toHaveLength(figures.length)
    const levels = 'epsilons' in small ? ', epsilons: [0,0.2,0.4]' : ''
    expect(html).toContain(`reproduce(&#39;${name}&#39;, { runs: 2, seed: 4${levels} })`)
    // Self-contained: nothing is fetched.
    expect(html).not.toMatch(/<script|<link|<img|url\(http|src=|@import/)
    expect(JSON.parse(await readFile(join(out, 'records.json'), 'utf8'))).toHaveLength(records.length)
    for (const record of records) {
      // A stream without noise has nothing random.
      const once = 'noise' in record && record.noise === 'none'
      expect(record.runs + record.failed).toBe(once ? 1 : 2)
    }
    for (const { method } of records) expect(text).toContain(method)
    // The recommended method stands beside the paper's, in the table and in the figures.
    expect(text).toContain('calibrated')
    const drawn = await Promise.all(figures.map((file) => readFile(join(out, file), 'utf8')))
    expect(drawn.filter((svg) => svg.includes('calibrated')).length).toBeGreaterThan(0)
    if (!name.startsWith('online') && name !== 'streams')
      for (const svg of drawn) expect(svg).toContain('calibrated')
  })

  it('gives one JSON array where it is asked for, with the fields of the contract', async () => {
    const { text, records } = await reproduce('pca', { ...quick, json: true })
    expect(JSON.parse(text)).toEqual(records)
    const fields = [
      'problem',
      'epsilon',
      'method',
      'mean',
      'sem',
      'min',
      'q25',
      'median',
      'q75',
      'max',
      'runs',
    ]
    expect(Object.keys(records[0])).toEqual(expect.arrayContaining([...fields, 'variant', 'failed']))
  })

  it('shows what paper and code do differently side by side', async () => {
    const { records } = await reproduce('logistic-regression', quick)
    const names = records.map(({ problem, method, variant }) => `${problem} ${method} ${variant}`)
    for (const rows of ['logreg_n100', 'logreg_n200']) {
      for (const method of ['SEVER', 'RRM', 'RLVI']) {
        expect(names).toContain(`${rows} ${method} released`)
        expect(names).toContain(`${rows} ${method} corrected`)
      }
    }
  })

  it('depends on the seed alone', async () => {
    const again = await reproduce('pca', quick)
    expect((await reproduce('pca', quick)).records).toEqual(again.records)
    expect((await reproduce('pca', { ...quick, seed: 5 })).records).not.toEqual(again.records)
  })

  it.each([
    [{ runs: 0 }, 'reproduce runs: a whole number of at least 1 is needed, got 0'],
    [{ seed: -1 }, 'reproduce seed: a whole number of at least 0 is needed, got -1'],
    [{ epsilons: [1.5] }, 'reproduce epsilons: a level is at least 0 and less than 1, got 1.5'],
  ])('refuses %j', async (wrong, message) => {
    await expect(reproduce('pca', { ...quick, ...wrong })).rejects.toThrow(message)
  })

  it('names the experiments where one does not exist', async () => {
    await expect(reproduce('pcs', quick)).rejects.toThrow(/must be one of linear-regression, .*, got "pcs"/)
  })
})
