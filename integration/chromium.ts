import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

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

export async function openChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox', '--disable-gpu'] })
}
