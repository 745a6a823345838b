import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A Chromium that the system has: RLVI_CHROMIUM, or where systems put it. */
export const chromiumPath: string | undefined = [process.env.RLVI_CHROMIUM, ...usual].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
)

// Where everything must be tested (.ci/run says so), a test that cannot run is a failure.
if (chromiumPath === undefined) {
  const rule = 'browser tests: no Chromium was found; install it, or set RLVI_CHROMIUM to its path'
  if (process.env.RLVI_REQUIRE_CHROMIUM === '1') throw new Error(rule)
  console.warn(`${rule}. They are skipped.`)
}

/** Milliseconds: a busy machine takes longer than Playwright's half minute, and the test runner ends what hangs. */
const timeout = 240_000

export async function openChromium(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu']
  return await chromium.launch({ executablePath: chromiumPath!, args, timeout })
}

export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(timeout)
  return page
}
