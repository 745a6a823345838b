/**
 * Feeds every reader, and every fit, with inputs that nobody would write: valid ones, changed at random. Each case ends by itself,
 * or with an error that says what is wrong; all else is a failure, which is made small and kept in fuzz/regressions.
 *
 *   npm run fuzz -- [TARGET …] [--minutes N | --cases N] [--seed S]
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { generator, mutate } from './mutate.mjs'
import { targets } from './targets.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, cases: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
const unknown = positionals.find((name) => targets[name] === undefined)
if (unknown !== undefined) {
  console.error(`fuzz: a target is needed, one of ${Object.keys(targets).join(', ')}, got ${unknown}`)
  process.exit(2)
}
const names = positionals.length > 0 ? positionals : Object.keys(targets)
const seed = Number(values.seed)
/** No case may take longer: of the processor, which a busy machine gives late, and of the clock (s). */
const LONGEST = { processor: 20, clock: 300 }
const regressions = fileURLToPath(new URL('regressions', import.meta.url))

/** Seconds that a process has had of the processor; those of the clock where that is not known. */
function processorTime(pid) {
  try {
    // Behind the name; in hundredths.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Date.now() / 1000
  }
}

/** Runs cases in a process of its own until they are done, the time is over, or it dies; how many were begun, and what failed. */
function session(name, from, count, until) {
  return new Promise((resolve) => {
    const child = fork(new URL('child.mjs', import.meta.url), {
      execArgv: ['--max-old-space-size=1024'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const failures = []
    let last = from - 1
    let ending
    let begun
    const watch = () => {
      begun = { processor: processorTime(child.pid), clock: Date.now() / 1000 }
    }
    const timer = setInterval(() => {
      const { processor, clock } = begun
      const isLong = processorTime(child.pid) - processor > LONGEST.processor
      if (isLong || Date.now() / 1000 - clock > LONGEST.clock) stop('no end within 20 seconds')
    }, 500)
    const stop = (reason) => {
      ending = reason
      child.kill('SIGKILL')
    }
    watch()
    child.on('message', (message) => {
      watch()
      if (message.begins !== undefined) {
        last = message.begins
        if (Date.now() > until) stop('time is over')
      } else if (message.failure !== undefined)
        failures.push({ ...message, bytes: Buffer.from(message.bytes, 'base64') })
      else if (message.done) stop('done')
    })
    child.on('exit', (code, signal) => {
      clearInterval(timer)
      if (ending === undefined || ending.startsWith('no end'))
        failures.push({ failure: ending ?? `the process ended, ${signal ?? code}`, number: last })
      resolve({
        next: ending === 'time is over' ? last : last + 1,
        failures,
        isOver: ending === 'time is over',
      })
    })
    child.send({ name, seed, from, count })
  })
}

let failed = 0
let total = 0
const begun = Date.now()
for (const name of names) {
  const cases = values.cases === undefined ? Number.POSITIVE_INFINITY : Number(values.cases)
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes) / names.length
  const until =
    minutes === undefined
      ? values.cases === undefined
        ? Date.now() + 5000
        : Number.POSITIVE_INFINITY
      : Date.now() + 60_000 * minutes
  let next = 0
  for (let isOver = false; next < cases && !isOver; ) {
    const found = await session(name, next, Math.min(20_000, cases - next), until)
    next = found.next
    isOver = found.isOver
    for (const { failure, number, bytes } of found.failures) {
      failed++
      const kept = bytes ?? mutate(await targets[name].seeds(), generator(seed, name, number))
      const path = join(regressions, name, createHash('sha256').update(kept).digest('hex').slice(0, 12))
      mkdirSync(join(regressions, name), { recursive: true })
      writeFileSync(path, kept)
      console.log(`${name} case ${number}: ${failure}; kept as ${path}`)
    }
  }
  total += next
  console.log(`${name}: ${next} cases`)
}
console.log(
  `${total} cases, seed ${seed}, ${failed} failures, ${Math.round((Date.now() - begun) / 1000)} seconds`,
)
process.exitCode = failed === 0 ? 0 : 1
