import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { run, runJson, testFolder } from '../testing/run.js'
import { toText } from './text.js'

const folder = testFolder()
const stars = fileURLToPath(new URL('../../../../examples/data/stars.csv', import.meta.url))
const rows = Array.from({ length: 40 }, (_, i) => [
  `n${i}`,
  i % 8 === 0 ? 'NA' : i * 1.5,
  i % 2 ? 'a' : 'b',
  i === 30 ? 'oops' : i,
])
const path = folder.csv('table.csv', [['name', 'size', 'kind', 'odd'], ...rows])

describe('rlvi look', () => {
  test('has a line for each column, in order', async () => {
    const { out, status, remarks } = await run('look', path, '--target', 'kind')
    expect({ status, remarks }).toEqual({ status: 0, remarks: [] })
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/table\.csv: 40 rows, 4 columns$/)
    expect(lines[2]).toMatch(/^ {2}name +text +40 different: .* left out: another text in every row/)
    expect(lines[3]).toMatch(/^ {2}size +number +13 % +1\.5 to 58\.5 +[▁▂▃▄▅▆▇█ ]{12} +a number$/)
    expect(lines[4]).toMatch(/^ {2}kind +text +2 different: a, b +target: labels, by a logistic model$/)
    expect(lines[5]).toMatch(/^ {2}odd +mixed +words: oops +problem: numbers are needed, got "oops"$/)
  })

  test('says the same as fit does with it', async () => {
    const { columns } = await runJson('look', stars, '--target', 'log_light')
    const fit = await runJson('fit', stars, '--target', 'log_light')
    expect(columns.map((column: { use: { as: string } }) => column.use.as)).toEqual(['feature', 'target'])
    expect(columns[1].use.how).toBe(`numbers, by a ${fit.model} model`)
    expect(columns[0].rows - columns[0].missing).toBe(fit.rows)
  })

  test('on a narrow terminal all of a column stands below its name, within the width', async () => {
    const [table] = await Promise.all([runJson('look', path)])
    const names = ['日本語の列'.repeat(8), 'a\u001b[31mred', 'size']
    const columns = names.map((name, k) => ({ ...table.columns[k], name }))
    const text = toText('table.csv', { rows: 40, columns }, 40)
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(1 + 3 * 3)
    expect(lines[1]).toMatch(/^ {2}(日本語の列)+.*… {2}text$/)
    expect(lines[4]).toBe('  a\\u001b[31mred  number, 13 % missing')
    expect(lines[5]).toMatch(/^ {4}[▁▂▃▄▅▆▇█ ]{12} {2}1\.5 to 58\.5$/)
    for (const line of lines) expect(line.replaceAll(/[日本語の列]/g, '..').length).toBeLessThanOrEqual(40)
    // Where there is room it is a table.
    expect(toText('table.csv', { rows: 40, columns: columns.slice(1) }, 100)).toContain(
      'column          type',
    )
  })

  test('writes a page with every column', async () => {
    const report = join(folder.path, 'look.html')
    expect((await run('look', path, '--report', report)).status).toBe(0)
    const html = readFileSync(report, 'utf8')
    for (const name of ['name', 'size', 'kind', 'odd']) expect(html).toContain(`<strong>${name}</strong>`)
    expect(html).toContain("default-src 'none'")
  })

  test.each([
    [['--target', 'kin'], /--target: a column of the file is needed, got "kin"; did you mean "kind"\?/, 1],
    [['--report', 'page.txt'], /--report/, 2],
    [['--report', path], /--report/, 2],
  ])('%j is refused', async (flags, message, status) => {
    const ran = await run('look', path, ...flags)
    expect(ran.status).toBe(status)
    expect(ran.remarks).toEqual([expect.stringMatching(message)])
  })
})
