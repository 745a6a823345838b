/**
 * Takes the picture of a report that the documents show: a desk in light, a phone in dark.
 *
 *   node scripts/report-picture.mjs        # writes docs/report.webp; needs Chromium, and what `npm run build` makes
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = [process.env.RLVI_CHROMIUM, ...usual].find((file) => file && existsSync(file))
if (executablePath === undefined) throw new Error('Chromium is needed; install it, or set RLVI_CHROMIUM')

const folder = mkdtempSync(join(tmpdir(), 'rlvi-picture-'))
const report = join(folder, 'stars.html')
const argv = ['fit', path('examples/data/stars.csv'), '--target', 'log_light', '--report', report]
execFileSync(process.execPath, [path('packages/cli/bin/rlvi.js'), ...argv], { stdio: 'ignore' })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  /** A part of the report as an image, from the element on. */
  const taken = async (width, height, colorScheme, from) => {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, deviceScaleFactor: 1.5 })
    await page.goto(`file://${report}`)
    await page.evaluate(
      `scrollTo(0, document.querySelector(${JSON.stringify(from)}).offsetTop - ${width > 560 ? 90 : 130})`,
    )
    const image = await page.screenshot()
    await page.close()
    return `data:image/png;base64,${image.toString('base64')}`
  }
  const images = [
    await taken(1000, 1010, 'light', 'main'),
    await taken(1000, 1010, 'light', '#the-data'),
    await taken(400, 1010, 'dark', '#errors'),
  ]
  const [first, second, phone] = images
  const frame = 'border-radius:10px;border:1px solid #c9d0d8;display:block;height:620px'
  const page = await browser.newPage({ viewport: { width: 1530, height: 650 } })
  await page.setContent(
    `<body style="margin:14px;display:flex;gap:14px;background:#eef1f4">${[first, second, phone].map((src) => `<img src="${src}" style="${frame}">`).join('')}`,
  )
  await page.waitForLoadState('load')
  const wide = await page.evaluate('document.body.scrollWidth + 14')
  await page.setViewportSize({ width: wide, height: 650 })
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(path('docs/report.webp'), Buffer.from(data, 'base64'))
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
