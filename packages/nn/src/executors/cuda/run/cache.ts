import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * What need not be found out twice: compiled kernels, and which algorithm is fastest. It lies beside fetched data, and may be
 * removed at any time; where it cannot be written, everything works, only the start is slower.
 */
export interface Cache {
  /** Which of its candidates a task takes, by the task's description. */
  readonly choices: Map<string, number>
  /** Keeps the choices if there are new ones. */
  saveChoices(): void
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
  const choices = new Map<string, number>()
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'))
    for (const [key, value] of Object.entries(stored as object)) {
      if (Number.isInteger(value)) choices.set(key, value)
    }
  } catch {
    // None yet, or damaged: found out anew.
  }
  let saved = choices.size
  const write = (file: string, bytes: string | Uint8Array): void => {
    try {
      mkdirSync(folder, { recursive: true })
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, bytes)
      renameSync(draft, file)
    } catch {
      // A cache that cannot be written is none.
    }
  }
  return {
    choices,
    saveChoices() {
      if (choices.size === saved) return
      saved = choices.size
      write(path, JSON.stringify(Object.fromEntries(choices)))
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
