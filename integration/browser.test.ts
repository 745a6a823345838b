import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJson } from '../packages/cli/src/testing/run.js'
import { type Bundle, bundle } from './bundle.js'
import { chromiumPath, newPage, openChromium } from './chromium.js'
import { type Project, packedProject } from './packed.js'

const stars = new URL('../examples/data/stars.csv', import.meta.url).pathname

/** Without the report: what a page needs to fit a table. */
const fitting = `
  import { fitTable } from '@rlvi/estimator'
  import { fit, linear } from 'rlvi'
  globalThis.rlviFit = (columns, options) => {
    const { params, standardErrors, intervals, corruption, flagged } = fitTable(columns, options)
    return { params: { ...params, standardErrors, intervals }, corruption, flagged }
  }
  globalThis.rlviCore = { fit, linear }
`
const reporting = `${fitting}
  import { boxPlot, page, svgDocument } from '@rlvi/report'
  globalThis.rlviPage = (title) => {
    const box = { label: title, min: 0, q25: 1, median: 2, q75: 3, max: 4, mean: 2 }
    const svg = boxPlot({ id: 'box', title, yLabel: title, boxes: [box] }, svgDocument())
    return page({ title, blocks: [{ kind: 'figure', svg, caption: [] }] })
  }
`

let project: Project
let small: Bundle
let large: Bundle
beforeAll(async () => {
  project = packedProject()
  small = await bundle(fitting, project.folder)
  large = await bundle(reporting, project.folder)
})
afterAll(() => project.remove())

it('core and estimator are less than 150 kB to load, minified and gzipped', () => {
  console.log(`core + estimator: ${kB(small)} kB; with the report: ${kB(large)} kB (minified and gzipped)`)
  expect(small.gzipped).toBeLessThan(150_000)
})

function kB({ gzipped }: Bundle): string {
  return (gzipped / 1000).toFixed(1)
}

describe.skipIf(chromiumPath === undefined)('in Chromium', () => {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    browser = await openChromium()
    folder = mkdtempSync(join(tmpdir(), 'rlvi-page-'))
    const html = '<!doctype html><meta charset="utf-8"><title>rlvi</title><script src="rlvi.js"></script>'
    writeFileSync(join(folder, 'index.html'), html)
    writeFileSync(join(folder, 'rlvi.js'), large.code)
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("gives the command's numbers for the stars, and says nothing on the console", async () => {
    const page = await newPage(browser)
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    await page.goto(`file://${folder}/index.html`)
    const [header = '', ...lines] = readFileSync(stars, 'utf8').trim().split('\n')
    const columns = Object.fromEntries(
      header.split(',').map((name, j) => [name, lines.map((line) => Number(line.split(',')[j]))]),
    )
    const there = await page.evaluate((given) => {
      const page = globalThis as unknown as {
        rlviFit(columns: unknown, options: unknown): { params: object; corruption: object; flagged: number }
        rlviPage(title: string): string
      }
      return { ...page.rlviFit(given, { target: 'log_light' }), html: page.rlviPage('<b>') }
    }, columns)
    const here = await runJson('fit', stars, '--target', 'log_light')
    expect(there.params).toEqual(closeTo(here.params))
    expect(there.corruption).toEqual(closeTo(here.corruption))
    expect(there.flagged).toBe(here.flagged)
    expect(there.html).toContain('<svg')
    expect(there.html).not.toContain('<b>')
    expect(said).toEqual([])
  })
})

/** The same to 12 digits: the browser's exp and log may round another way than Node's. */
function closeTo(value: unknown): unknown {
  if (typeof value === 'number')
    return expect.closeTo(value, 11 - Math.floor(Math.log10(Math.abs(value) || 1)))
  if (Array.isArray(value)) return value.map(closeTo)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closeTo(each)]))
}
