import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { phrase, RlviError } from 'rlvi'
import type { Failed } from './failed.js'

/**
 * What a program beside this file prints, as a process of its own: readers of some formats trust their files, and one that asks
 * for more memory than there is, or waits for ever, then ends that process alone.
 *
 * @param what - what the file is read as, for errors
 * @param seconds - after which it is ended; 0 for no limit
 */
export function apart<Printed>(
  program: string,
  path: string,
  what: string,
  memory: number,
  argv: readonly string[],
  seconds = 0,
): Promise<Printed> {
  const mebibytes = Math.ceil(memory / 2 ** 20)
  const node = [`--max-old-space-size=${mebibytes}`, compiled(program), ...argv]
  return new Promise((resolve, reject) => {
    const how = {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      timeout: 1000 * seconds,
      killSignal: 'SIGKILL',
    } as const
    execFile(process.execPath, node, how, (failure, printed, said) => {
      if (failure === null) {
        const found = JSON.parse(printed) as Printed | Failed
        if (typeof found !== 'object' || found === null || !('error' in found)) resolve(found as Printed)
        else if (found.code === undefined) reject(unreadable(path, what, found.error))
        else reject(Object.assign(new Error(found.error), { code: found.code }))
      } else if (failure.killed === true) {
        reject(unreadable(path, what, `no end within ${seconds} seconds`))
      } else if (/out of memory|invalid (array|table) (size|length)/i.test(said)) {
        const rule = `cells that take at most ${mebibytes} MiB of memory, for a file of its size, are needed`
        const got = phrase('cells that take more: some may be far from the others')
        reject(new RlviError(path, rule, got, 'save it as CSV'))
      } else reject(failure.code === NO_END ? unreadable(path, what, 'an archive without an end') : failure)
    })
  })
}

/** How Node ends where nothing more can happen, though something is waited for. */
const NO_END = 13

function unreadable(path: string, what: string, why: string): RlviError {
  return new RlviError(path, `could not be read as ${what}`, phrase(why), 'save it as CSV')
}

/** The compiled program, also when this file runs from source, as it does in tests. */
function compiled(program: string): string {
  return fileURLToPath(new URL(`${program}.js`, import.meta.url.replace('/src/inputs/', '/dist/inputs/')))
}
