#!/usr/bin/env node
import { existsSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// A small fit is over before optimised code pays for its making: functions have to be hotter than the V8 of Node 20 asks for. Later
// ones ask for more themselves, and do not know the flag: to set it would be an error on stderr.
if (process.versions.v8.startsWith('11.3.')) setFlagsFromString('--interrupt-budget=1000000')
keepCompiled()

const main = new URL('../dist/joined/main.js', import.meta.url)
if (existsSync(main)) {
  const { start } = await import(main.href)
  await start()
} else {
  process.stderr.write('rlvi: not built yet; run `npm run build` first\n')
  process.exitCode = 1
}

/** From Node 22.1 on what was compiled is kept for the next time. Not among temporary files, where others could put theirs. */
function keepCompiled() {
  const { RLVI_CACHE: own, XDG_CACHE_HOME: xdg } = process.env
  const folder = own || join(xdg || join(homedir(), '.cache'), 'rlvi')
  if (module.enableCompileCache === undefined || !isAbsolute(folder)) return
  try {
    // One by one: where none can be made, as in /proc, Node would try for ever to make all that lead to it.
    for (const each of [folder, join(folder, 'compiled')]) if (!existsSync(each)) mkdirSync(each)
    module.enableCompileCache(join(folder, 'compiled'))
  } catch {
    // Without it only the start is slower.
  }
}
