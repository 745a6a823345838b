import { readFileSync } from 'node:fs'

/** Whether a process of this machine is there, also one of somebody else's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !hasEnded(pid)
}

/** When a process started, as its system counts; undefined where that cannot be known. */
export function startOf(pid: number | 'self'): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${statistics(pid)[19]}`
  } catch {
    return undefined
  }
}

/** One that was killed keeps its number until its parent asks for its end, which in a container may be never. */
function hasEnded(pid: number): boolean {
  try {
    return ['Z', 'X'].includes(statistics(pid)[0]!)
  } catch {
    return false
  }
}

/** The state is the first, the start the twentieth: they stand behind the name, which may have anything in it. */
function statistics(pid: number | 'self'): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ')
}
