import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../packages/cli/src/testing/run.js'
import { chromiumPath, newPage, openChromium } from './chromium.js'

const stars = new URL('../examples/data/stars.csv', import.meta.url).pathname

/** Names and values that would do harm if a page took them for anything but text. */
const hostile = [
  '</script><script>globalThis.harmed = 1</script>',
  '<img src=x onerror="globalThis.harmed = 2">',
  '"><svg onload=globalThis.harmed=3>',
  "'; globalThis.harmed = 4; //",
  '<!--<script>',
  '`$' + '{globalThis.harmed = 5}`',
  '=HYPERLINK("https://example.com")',
  '𝔘nicode ☂ \u202e מימין',
]

describe.skipIf(chromiumPath === undefined)('the report of a fit, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rlvi-report-'))
  const at = (name: string): string => join(folder, name)
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
    await run('fit', stars, '--target', 'log_light', '--report', at('stars.html'))
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A page from disk, with all that it complains of or asks for. */
  async function open(
    name: string,
    options: { width?: number; dark?: boolean } = {},
  ): Promise<{ page: Page; said: string[]; asked: string[] }> {
    const page = await newPage(browser, {
      viewport: { width: options.width ?? 1200, height: 900 },
      colorScheme: options.dark ? 'dark' : 'light',
    })
    const said: string[] = []
    const asked: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    page.on('request', (request) => {
      if (request.url() !== `file://${at(name)}`) asked.push(request.url())
    })
    await page.goto(`file://${at(name)}`)
    return { page, said, asked }
  }

  // As texts: what runs in the page has the names of the page.
  const flaggedIn = (page: Page): Promise<number[]> =>
    page.evaluate(`[...document.querySelectorAll('.figures svg')]
      .filter((svg) => svg.querySelector('.dots'))
      .map((svg) => svg.querySelectorAll('.dots .flagged').length)`)
  const column = (page: Page, name: string): Promise<string[]> =>
    page.evaluate(`(() => {
      const { tHead, tBodies } = document.querySelector('#rows')
      const place = [...tHead.rows[0].cells].findIndex((head) => head.textContent.trim() === ${JSON.stringify(name)})
      return [...tBodies[0].rows].map((row) => row.cells[place].textContent)
    })()`)

  it('opens from disk without a complaint, and asks for nothing', async () => {
    const { page, said, asked } = await open('stars.html')
    expect(await page.textContent('h1')).toContain('stars.csv')
    expect(await page.textContent('#flagged-count')).toBe('5 rows flagged')
    for (const flagged of await flaggedIn(page)) expect(flagged).toBe(5)
    // Rows count from 1: the giants of CYG OB1 are the stars 11, 20, 30 and 34.
    expect(await column(page, 'row (from 1)')).toEqual(expect.arrayContaining(['11', '20', '30', '34']))
    expect({ said, asked }).toEqual({ said: [], asked: [] })
    await page.close()
  })

  it('moves the flagged rows with the slider, by keyboard too, without refitting', async () => {
    const { page, said } = await open('stars.html')
    const rows = JSON.parse((await page.textContent('#rlvi-data'))!).points.clean as number[]
    await page.focus('#threshold')
    for (const [key, value] of [
      ['End', 0.99],
      ['Home', 0.01],
      ['ArrowRight', 0.02],
    ] as const) {
      await page.keyboard.press(key)
      const flagged = rows.filter((p) => p < value).length
      expect(await page.textContent('#threshold-value')).toBe(value.toFixed(2))
      expect(await page.textContent('#flagged-count')).toMatch(new RegExp(`^${flagged} rows? flagged$`))
      for (const drawn of await flaggedIn(page)) expect(drawn).toBe(flagged)
      expect((await column(page, 'row (from 1)')).length).toBe(Math.min(25, flagged))
      expect(await page.getAttribute('#threshold', 'aria-valuetext')).toContain(`below ${value.toFixed(2)}`)
    }
    expect(said).toEqual([])
    await page.close()
  })

  it('sorts its table by any column, up and down, and says so', async () => {
    const { page } = await open('stars.html')
    const sorted = (texts: string[], side: number): string[] =>
      texts.toSorted((a, b) => side * (Number(a) - Number(b)))
    const head = page.locator('#rows th', { hasText: 'observed' })
    await head.locator('button').click()
    const up = await column(page, 'observed')
    expect(up).toEqual(sorted(up, 1))
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    await head.locator('button').press('Enter')
    expect(await column(page, 'observed')).toEqual(sorted(up, -1))
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await page.close()
  })

  it('hands out the flagged rows as CSV, those of its threshold', async () => {
    const { page } = await open('stars.html')
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')])
    expect(download.suggestedFilename()).toBe('stars-flagged.csv')
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines[0]).toBe('row,clean,why,observed,predicted,loss,log_temperature,log_light')
    expect(lines).toHaveLength(6)
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
      expect.arrayContaining(['11', '20', '30', '34']),
    )
    await page.close()
  })

  it('is light or dark as the reader likes, and can be turned', async () => {
    const ground = (page: Page): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('.figures figure')).backgroundColor`)
    const { page: light } = await open('stars.html')
    const { page: dark } = await open('stars.html', { dark: true })
    const [white, black] = [await ground(light), await ground(dark)]
    expect(white).not.toBe(black)
    await light.click('#theme')
    expect(await ground(light)).toBe(black)
    await dark.click('#theme')
    expect(await ground(dark)).toBe(white)
    await light.close()
    await dark.close()
  })

  it('fits a phone, and every control has a name', async () => {
    const { page } = await open('stars.html', { width: 380 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(380)
    // Parameters stand below each other: nothing of them is out of sight.
    const params = "document.querySelector('.params')"
    expect(
      await page.evaluate(`${params}.offsetParent !== null && ${params}.parentElement.scrollWidth`),
    ).toBe(await page.evaluate(`${params}.parentElement.clientWidth`))
    // So do suspicious rows, as cards; there are no heads to sort by.
    const rows = "document.querySelector('#rows')"
    expect(await page.evaluate(`${rows}.scrollWidth <= ${rows}.parentElement.clientWidth`)).toBe(true)
    expect(await page.evaluate(`getComputedStyle(${rows}.querySelector('td'), '::before').content`)).toBe(
      '"row (from 1)"',
    )
    await page.selectOption('#sort', { label: 'observed' })
    const up = (await column(page, 'observed')).map(Number)
    expect(up).toEqual(up.toSorted((a, b) => a - b))
    await page.click('#turn')
    expect((await column(page, 'observed')).map(Number)).toEqual(up.toReversed())
    const small = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.figures svg text')].map((text) => text.getBoundingClientRect().height)`,
    )
    expect(Math.min(...small)).toBeGreaterThan(8)
    const nameless =
      await page.evaluate(`[...document.querySelectorAll('button, input, svg[role=img]')].filter((each) => {
      const label = each.id && document.querySelector('label[for="' + each.id + '"]')
      const by = document.getElementById(each.getAttribute('aria-labelledby') ?? '')
      return !(each.getAttribute('aria-label') || (by || label || each).textContent)
    }).length`)
    expect(nameless).toBe(0)
    const ids = await page.$$eval('[id]', (all) => all.map((each) => each.id))
    expect(new Set(ids).size).toBe(ids.length)
    await page.close()
  })

  it('a hostile table does nothing', async () => {
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
    const header = [...hostile.map((text, k) => `${text}${k}`), 'y', 'label']
    const lines = Array.from({ length: 120 }, (_, i) => [
      ...hostile.map((_, k) => (k === 1 ? `${hostile[i % 4]}` : String(Math.sin(i * (k + 1) + k)))),
      String(Math.sin(i) * 3 + (i % 10 === 0 ? 40 : 0)),
      hostile[(i % 7 === 0 ? 1 : 0) + (Math.sin(i + 1) > 0 ? 2 : 0)]!,
    ])
    const csv = `${[header, ...lines].map((line) => line.map(cell).join(',')).join('\n')}\n`
    const name = '<img src=x onerror=alert(1)>.csv'
    writeFileSync(at(name), csv)
    for (const [target, exclude] of [
      ['y', 'label'],
      ['label', 'y'],
    ] as const) {
      const { status, remarks } = await run(
        'fit',
        at(name),
        '--target',
        target,
        '--exclude',
        exclude,
        '--delimiter',
        ',',
        '--report',
        at('hostile.html'),
      )
      expect({ status, remarks: status === 0 ? [] : remarks }).toEqual({ status: 0, remarks: [] })
      const { page, said, asked } = await open('hostile.html')
      await page.fill('#threshold', '99')
      await page.locator('#rows th button').nth(2).click()
      expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined()
      expect(await page.$$('img, iframe, object, embed, script:not([type])')).toHaveLength(1)
      expect({ said, asked }).toEqual({ said: [], asked: [] })
      await page.close()
    }
    const { status } = await run('look', at(name), '--delimiter', ',', '--report', at('look.html'))
    expect(status).toBe(0)
    const { page, said, asked } = await open('look.html')
    expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined()
    expect(await page.$$('img, script')).toHaveLength(0)
    expect({ said, asked }).toEqual({ said: [], asked: [] })
    await page.close()
  })
})
