#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

// A small fit is over before optimised code pays for its making: functions have to be hotter than V8 asks for by default.
// The flag is in the V8 of Node 20 to 24; an unknown one would be a line on stderr.
if (Number.parseInt(process.versions.v8, 10) <= 13) setFlagsFromString('--interrupt-budget=1000000')

const main = new URL('../dist/joined/main.js', import.meta.url)
if (existsSync(main)) {
  const { start } = await import(main.href)
  await start()
} else {
  process.stderr.write('rlvi: not built yet; run `npm run build` first\n')
  process.exitCode = 1
}
