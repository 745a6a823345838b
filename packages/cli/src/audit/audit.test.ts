import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeMnist } from '../../../vision/src/data/testing.js'
import { misplaced, quickly, writeGreys, writeShades } from '../testing/images.js'
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
    const decisions = at('decisions.csv')
    const files = ['--report', report, '--rows', rows, '--decisions', decisions]
    const { status, out, remarks } = await run(...flags, ...files)
    expect([status, remarks]).toEqual([
      0,
      [
        '48 images of 2 classes, about 30 x 29 pixels, read as 28 x 28 in grey: lenet, posterior, 12 epochs, 3 folds',
        expect.stringMatching(/^this takes about \d+ s on this machine$/),
        expect.stringMatching(
          /^48 images of 2 classes, fewer than 100 of each, are too few to tell what share/,
        ),
        `report: ${report}`,
      ],
    ])
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
    // The decisions are proposed for the suspects only: another label only where it is sure.
    expect(folder.lines('decisions.csv').map(([decision, , file]) => [decision, file])).toEqual(
      ranking.slice(0, 2).map(([, file, , , sure]) => [Number(sure) < 0.9 ? 'look' : 'relabel', file]),
    )
    const html = readFileSync(report, 'utf8')
    expect(html).toMatch(/<caption>Label \(row\) against what it looks like \(column\)<\/caption>/)
    expect(html).toMatch(/<caption>Which classes are taken for which: how often a class \(row\) gets a label/)
    // Nobody suspects a third one, whatever --top says; the pictures are as they were given.
    const pictures = [...html.matchAll(/<img src="data:image\/png;base64,([^"]*)"/g)].map(([, text]) => text)
    expect(pictures).toHaveLength(2)
    for (const text of pictures) expect((await sharp(Buffer.from(text, 'base64')).metadata()).width).toBe(30)
    expect(html).toMatch(/<strong>looks like dark \(\d+ %\)<\/strong>/)
    expect(html).toContain('labelled light &amp; &lt;b&gt;bright (')
    // The only address is the name of SVG.
    expect(html.replaceAll('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/<b>|https?:|<script/)
    // Worst first, on the page too.
    const links = [...html.matchAll(/<p><a href="([^"]*)">([^<]*\.png)<\/a><\/p>/g)]
    const shown = links.map(([, , file]) => file)
    for (const [, href] of links) expect(existsSync(at(decodeURIComponent(href)))).toBe(true)
    expect(shown.sort()).toEqual(
      misplaced.map((file) => file.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
    )

    const json = await runJson(...flags)
    expect(json).toMatchObject({ data: 'shades', samples: 48, contradicted: 2, flagged: 2 })
    expect(json.suspects).toHaveLength(2)
    expect(json.pairs).toEqual([{ label: 'light & <b>bright', suggested: 'dark', count: 2 }])
    expect(json.suspects[0]).toMatchObject({ label: 'light & <b>bright', suggested: 'dark' })
    // Two of the 26 dark ones are called light, and no light one is called dark; each class counts once more for its own name.
    // One label in a hundred may be any of the two.
    expect(json.habits).toEqual([{ truth: 'dark', label: 'light & <b>bright', share: expect.any(Number) }])
    expect(json.habits[0].share).toBeCloseTo((0.99 * 2) / 27 + 0.005, 2)
    expect(json.level).toBeGreaterThan(0.01)
    expect(json.level).toBeLessThan(0.12)
    // Two of 48 are wrong.
    expect(json.interval[0]).toBeLessThanOrEqual(2 / 48)
    expect(json.interval[1]).toBeGreaterThan(2 / 48)
    expect(out).toMatch(/\(90 % interval [\d.]+ % to [\d.]+ %\)/)
  })

  it('says so where the networks have learned nothing', async () => {
    const report = ['--report', at('learned-nothing.html')]
    const { remarks } = await run(
      'audit',
      shades,
      ...quickly,
      '--epochs',
      '1',
      '--learning-rate',
      '0',
      ...report,
    )
    expect(remarks.at(-1)).toMatch(/^report: /)
    expect(remarks.at(-3)).toMatch(/no better than chance.*more --epochs/)
    // The page warns as the terminal does.
    expect(readFileSync(at('learned-nothing.html'), 'utf8')).toMatch(/no better than chance/)
  })

  it('says so where most images of a class lie among those of another, as training does', async () => {
    const greys = await writeGreys(at('greys'))
    for (const command of ['audit', 'train']) {
      const { remarks } = await run(command, greys, ...quickly)
      expect(remarks).toContainEqual(
        expect.stringMatching(/^most images labelled "grey" are taken for "bright": the two may look alike/),
      )
    }
  })

  it('ranks the test labels of a data set by a network trained on the others', async () => {
    mkdirSync(at('mnist'))
    writeMnist(at('mnist'), 60, 30)
    const { samples } = await runJson('audit', at('mnist'), '--split', 'test', '--epochs', '2')
    expect(samples).toBe(30)
  })

  it('lists an image that cannot be read, and judges the others', async () => {
    const home = at('with broken')
    await writeShades(home)
    writeFileSync(join(home, 'dark', 'broken.png'), 'no image')
    const [report, decisions] = [at('broken.html'), at('broken.csv')]
    const files = ['--report', report, '--decisions', decisions]
    const { status, out } = await run('audit', home, ...quickly, '--epochs', '2', ...files)
    expect(status).toBe(0)
    expect(out).toMatch(/of 48 labels look like another/)
    expect(out).toMatch(/1 image could not be read:\n {2}dark\/broken\.png: .*unsupported image format/i)
    expect(readFileSync(report, 'utf8')).toContain('<h2>Images that could not be read</h2>')
    expect(folder.lines('broken.csv').at(-1)).toEqual(['repair', '', 'dark/broken.png', 'dark', '', '', ''])
  })

  it('keeps what was done, and goes on from there only when asked', async () => {
    const flags = ['audit', shades, ...quickly, '--epochs', '2', '--checkpoint', at('kept')]
    const first = await runJson(...flags)
    expect((await run(...flags)).remarks.at(-1)).toMatch(/without a checkpoint is needed.*add --resume/)
    // All of it was done: nothing is trained again, and the numbers are the same.
    const { seconds: _, ...again } = await runJson(...flags, '--resume')
    expect(again).toEqual({ ...first, seconds: undefined })
    const { remarks, status } = await run(...flags, '--resume', '--seed', '7')
    expect([status, remarks.at(-1)]).toEqual([1, expect.stringMatching(/must have the same seed, 7, got 0/)])
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
    const far = wrong.filter((i) => Math.abs(rows[i]![0] as number) > 1)
    const { suspects, flagged } = await runJson('audit', file, '--target', 'kind')
    const first = suspects.slice(0, flagged).map(({ row }: { row: number }) => row)
    expect(first).toEqual(expect.arrayContaining(far.map((i) => i + 1)))
    expect(suspects[0].suggested).not.toBe(suspects[0].label)
    const report = at('mail.html')
    const { status } = await run('audit', file, '--target', 'kind', '--report', report)
    expect(status).toBe(0)
    // With what the rows hold, so that nobody has to look them up.
    const html = readFileSync(report, 'utf8')
    const worst = rows[suspects[0].row - 1]!
    expect(html).toContain('<th class="number">noise</th>')
    expect(html).toContain(
      `<td class="number" role="cell" data-name="noise">${Number((worst[1] as number).toPrecision(5))}</td>`,
    )
    expect(Number(suspects[0].values.x)).toBeCloseTo(worst[0] as number, 3)
    expect((await run('audit', file, '--target', 'kind')).out).toMatch(/P\(right\) +x +noise\n/)
    // Nobody is shown a row that nobody suspects.
    for (const { label, suggested, clean } of suspects) expect(label !== suggested || clean < 0.5).toBe(true)
    expect(suspects.length).toBeLessThan(60)

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

  it('follows curves where it is asked to', async () => {
    // Inside or outside of a circle, which no straight line can tell; one label in twenty is wrong.
    const z = normals(8)
    const points = Array.from({ length: 400 }, (_, i) => {
      const [x, y] = [1.5 * z(), 1.5 * z()]
      return [x, y, x * x + y * y < 2.5 === (i % 20 !== 0) ? 'in' : 'out'] as const
    })
    const file = folder.csv('circle.csv', [['x', 'y', 'where'], ...points])
    const found = async (...flags: string[]): Promise<number> => {
      const { suspects } = await runJson('audit', file, '--target', 'where', '--top', '20', ...flags)
      return suspects.filter(({ row }: { row: number }) => row % 20 === 1).length
    }
    const [straight, curved] = [await found(), await found('--curves')]
    expect(curved).toBeGreaterThanOrEqual(15)
    expect(straight).toBeLessThan(curved)
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
      expect.arrayContaining([1, 21, 41]),
    )
    for (const { row, label, suggested } of suspects.slice(0, 3)) {
      expect(label).toBe(50)
      expect(Math.abs(suggested - 3 * (rows[row - 1]![0] as number))).toBeLessThan(0.3)
    }
    const { out } = await run('audit', file, '--target', 'y', '--model', 'linear', '--errors', 'normal')
    expect(out).toMatch(/^.*: 3 of 60 numbers are more probably wrong than right/)
    expect(out).toMatch(/row \(from 1\) +value +predicted +P\(right\)/)
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
    // The row at 50, which people count as 51, is of kind 3.
    const { suspects } = await runJson('audit', file, '--target', 'kind')
    const found = suspects.find(({ row }: { row: number }) => row === 51)
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
    [['audit', '@shades', '--resume'], /--resume: the folder to go on from is needed/, 2],
    [['audit', '@shades', '--features', 'a'], /--features: is for tables/, 2],
    [['audit', '@shades', '--report', 'r.pdf'], /--report: a file name that ends in \.html/, 2],
    [['audit', '@shades', '--method', 'cdr'], /--method: cdr needs a share/, 2],
    [['audit', 'x.csv', '--target', 'y', '--assume', '.2'], /--assume: --method calibrated infers it/, 2],
    [['audit', 'x.csv', '--target', 'y', '--method', 'cdr'], /--method: one of calibrated, paper,/, 2],
    [['audit', '@shades', '--method', 'sever'], /--method: one of standard, coteaching,/, 2],
    [['audit', 'x.csv', '--target', 'y', '--networks', '3'], /--networks: is for images/, 2],
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
