import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { threadId } from 'node:worker_threads'

/**
 * What need not be found out twice: compiled kernels, and which algorithm is fastest. It lies beside fetched data, and may be
 * removed at any time; where it cannot be written, everything works, only the start is slower.
 */
export interface Cache {
  /** Which of its candidates a task takes, by the task's description, if that is known. */
  choice(task: string): number | undefined
  /**
   * Keeps which candidate a task shall take, and says which one it takes: what another program has chosen meanwhile stays. Times differ
   * where programs share a card, algorithms differ in their last digits, and the same seed must give the same numbers.
   */
  choose(task: string, candidate: number): number
  /** Machine code for a source text, compiled only if it is not there. */
  binary(source: string, compile: () => Uint8Array): Uint8Array
}

export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const { RLVI_CACHE: own, XDG_CACHE_HOME: xdg } = env
  if (own !== undefined && own !== '') return join(own, 'cuda')
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'rlvi', 'cuda')
}

/** The cache of a card with its libraries: other versions find out anew. */
export function openCache(identity: string, folder: string = cacheFolder()): Cache {
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
  const path = join(folder, `choices-${digest(identity)}.json`)
  const choices = choicesOf(path)
  const write = (file: string, bytes: string | Uint8Array): void => {
    try {
      mkdirSync(folder, { recursive: true })
      const draft = `${file}.${process.pid}.${threadId}`
      writeFileSync(draft, bytes)
      renameSync(draft, file)
    } catch {
      // A cache that cannot be written is none.
    }
  }
  return {
    choice: (task) => choices.get(task) ?? readChoices(path, choices).get(task),
    choose(task, candidate) {
      if (!readChoices(path, choices).has(task)) {
        choices.set(task, candidate)
        write(path, JSON.stringify(Object.fromEntries(choices)))
      }
      return choices.get(task)!
    },
    binary(source, compile) {
      const file = join(folder, `${digest(source)}.cubin`)
      try {
        return readFileSync(file)
      } catch {
        const made = compile()
        write(file, made)
        return made
      }
    },
  }
}

/** The choices of this process, by their file: they are one also where nothing can be written. */
const inUse = new Map<string, Map<string, number>>()

function choicesOf(path: string): Map<string, number> {
  const own = inUse.get(path) ?? new Map<string, number>()
  inUse.set(path, own)
  return own
}

/** Adds what a file has and this process has not. */
function readChoices(path: string, into: Map<string, number>): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'))
    for (const [task, candidate] of Object.entries(stored as object)) {
      if (Number.isInteger(candidate) && !into.has(task)) into.set(task, candidate)
    }
  } catch {
    // None yet, or damaged: found out anew.
  }
  return into
}
