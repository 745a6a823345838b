import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeMnist } from '../../../vision/src/data/testing.js'
import { misplaced, quickly, writeShades } from '../testing/images.js'
import { normals, run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const at = (name: string): string => join(folder.path, name)
const shades = at('shades')

beforeAll(async () => {
  await writeShades(shades)
})

describe('audit of images', () => {
  it('finds the misplaced files, says what they look like, and shows them', async () => {
    const [report, rows] = [at('report.html'), at('rows.csv')]
    const flags = ['audit', shades, ...quickly, '--top', '5']
    const { status, out, remarks } = await run(...flags, '--report', report, '--rows', rows)
    expect([status, remarks]).toEqual([0, [`report: ${report}`]])
    expect(out).toMatch(
      /^shades: 2 of 48 labels look like another; 2 are more probably wrong than right, an estimated [\d.]+ % are wrong/,
    )
    const ranking = folder.lines('rows.csv')
    expect(ranking).toHaveLength(48)
    expect(
      ranking
        .slice(0, 2)
        .map(([, file, , suggested]) => [file, suggested])
        .sort(),
    ).toEqual(misplaced.map((file) => [file, 'dark']))
    const html = readFileSync(report, 'utf8')
    expect(html.match(/<img src="data:image\/png;base64,iVBOR/g)).toHaveLength(5)
    expect(html).toContain('labelled light &amp; &lt;b&gt;bright (')
    expect(html).not.toMatch(/<b>|https?:|<script/)
    // Worst first, on the page too.
    const shown = [...html.matchAll(/<p>([^<]*\.png)<\/p>/g)].map(([, file]) => file)
    expect(shown.slice(0, 2).sort()).toEqual(
      misplaced.map((file) => file.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
    )

    const json = await runJson(...flags)
    expect(json).toMatchObject({ data: 'shades', samples: 48, contradicted: 2, flagged: 2 })
    expect(json.suspects).toHaveLength(5)
    expect(json.suspects[0]).toMatchObject({ label: 'light & <b>bright', suggested: 'dark' })
    expect(json.level).toBeGreaterThan(0.01)
    expect(json.level).toBeLessThan(0.12)
  })

  it('says so where the networks have learned nothing', async () => {
    const { remarks } = await run('audit', shades, ...quickly, '--learning-rate', '0')
    expect(remarks).toEqual([expect.stringMatching(/no better than chance.*more --epochs/)])
  })

  it('ranks the test labels of a data set by a network trained on the others', async () => {
    mkdirSync(at('mnist'))
    writeMnist(at('mnist'), 60, 30)
    const { samples, suspects } = await runJson('audit', at('mnist'), '--split', 'test', '--epochs', '2')
    expect(samples).toBe(30)
    expect(suspects).toHaveLength(30)
  })
})

describe('audit of a table', () => {
  it('lists the rows whose labels the others contradict', async () => {
    const z = normals(3)
    const rows = Array.from({ length: 200 }, (_, i) => {
      const x = (i % 2 === 0 ? 2 : -2) + z()
      return [x, z(), x > 0 === (i % 40 !== 0) ? 'ham' : 'spam']
    })
    const file = folder.csv('mail.csv', [['x', 'noise', 'kind'], ...rows])
    const wrong = rows.flatMap((_, i) => (i % 40 === 0 ? [i] : []))
    const { suspects, flagged } = await runJson('audit', file, '--target', 'kind')
    const first = suspects.slice(0, flagged).map(({ row }: { row: number }) => row)
    expect(first).toEqual(expect.arrayContaining(wrong.filter((i) => Math.abs(rows[i][0] as number) > 1)))
    expect(suspects[0].suggested).not.toBe(suspects[0].label)
    const report = at('mail.html')
    const { status } = await run('audit', file, '--target', 'kind', '--report', report)
    expect(status).toBe(0)
    expect(readFileSync(report, 'utf8')).toContain('<table>')

    // What --method and --assume mean for fit they mean here.
    const assuming = (share: string): string[] => ['--target', 'kind', '--method', 'sever', '--assume', share]
    const [few, many, fit] = [
      await runJson('audit', file, ...assuming('0.05')),
      await runJson('audit', file, ...assuming('0.3')),
      await runJson('fit', file, ...assuming('0.3')),
    ]
    expect(many.flagged).toBe(fit.flagged)
    expect(few.flagged).toBeLessThan(many.flagged)
  })

  it('of numbers lists those that the others contradict', async () => {
    const z = normals(5)
    const rows = Array.from({ length: 60 }, (_, i) => {
      const x = z()
      return [x, i % 20 === 0 ? 50 : 3 * x + 0.1 * z()]
    })
    const file = folder.csv('numbers.csv', [['x', 'y'], ...rows])
    const { suspects, flagged, contradicted } = await runJson('audit', file, '--target', 'y')
    expect([flagged, contradicted]).toEqual([3, null])
    expect(suspects.slice(0, 3).map(({ row }: { row: number }) => row)).toEqual(
      expect.arrayContaining([0, 20, 40]),
    )
    for (const { row, label, suggested } of suspects.slice(0, 3)) {
      expect(label).toBe(50)
      expect(Math.abs(suggested - 3 * (rows[row]![0] as number))).toBeLessThan(0.3)
    }
    const { out } = await run('audit', file, '--target', 'y', '--model', 'linear', '--errors', 'normal')
    expect(out).toMatch(/^.*: 3 of 60 numbers are more probably wrong than right/)
    expect(out).toMatch(/row \(from 0\) +value +predicted +P\(right\)/)
    const ranking = at('numbers-ranked.csv')
    await run('audit', file, '--target', 'y', '--rows', ranking)
    expect(readFileSync(ranking, 'utf8')).toMatch(/^row,label,suggested,clean,loss\r?\n/)
  })

  it('takes whole numbers as labels, rare ones too', async () => {
    const z = normals(6)
    const rows = Array.from({ length: 120 }, (_, i) => {
      const kind = 1 + (i % 3)
      return [4 * kind + z(), i === 7 ? 4 : i === 50 ? 1 : kind]
    })
    const file = folder.csv('codes.csv', [['x', 'kind'], ...rows])
    // Row 50 is of kind 3.
    const { suspects } = await runJson('audit', file, '--target', 'kind')
    const found = suspects.find(({ row }: { row: number }) => row === 50)
    expect(found).toMatchObject({ label: '1', suggested: '3' })
    expect(suspects.indexOf(found)).toBeLessThan(3)
    const { remarks } = await run('audit', file, '--target', 'kind', '--model', 'linear')
    expect(remarks.join()).not.toContain('labels')
  })
})

describe('bad input', () => {
  it.each([
    [['audit', '@shades', '--split', 'test'], /--split: shades has no test images/, 1],
    [['audit', '@shades', '--split', 'both'], /--split: one of train, test is needed/, 2],
    [['audit', '@shades', '--folds', '1'], /--folds: a whole number of at least 2/, 2],
    [['audit', '@shades', '--split', 'test', '--folds', '3'], /--folds: the test split is judged whole/, 2],
    [['audit', '@shades', '--features', 'a'], /--features: is for tables/, 2],
    [['audit', '@shades', '--report', 'r.pdf'], /--report: a file name that ends in \.html/, 2],
    [['audit', '@shades', '--method', 'cdr'], /--method: cdr needs a share/, 2],
    [['audit', 'x.csv', '--target', 'y', '--assume', '.2'], /--assume: --method calibrated infers it/, 2],
    [['audit', 'x.csv', '--target', 'y', '--method', 'cdr'], /--method: one of calibrated, paper,/, 2],
    [['audit', '@shades', '--method', 'sever'], /--method: one of standard, coteaching,/, 2],
    [['audit', 'x.csv', '--target', 'y', '--folds', '3'], /--folds: is for images/, 2],
    [
      ['audit', 'x.csv', '--target', 'y', '--model', 'pca'],
      /--model: one of linear, logistic, softmax, poisson/,
      2,
    ],
    [['audit', '@shades', '--model', 'linear'], /--model: is for tables/, 2],
    [['audit', '@shades', '--rows', '@rows.txt'], /--rows: a file name that ends in \.csv or \.parquet/, 2],
  ])('%j', async (argv, message, code) => {
    const { status, out, remarks } = await run(...argv.map((text) => text.replace('@', `${folder.path}/`)))
    expect(remarks).toEqual([expect.stringMatching(message)])
    expect([status, out]).toEqual([code, ''])
  })
})
