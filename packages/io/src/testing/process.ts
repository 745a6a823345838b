import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A program of a few lines as a process of its own, which tests may end. */
export interface Running {
  /** Waits until it has printed that. */
  says(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
  readonly end: Promise<{
    readonly status: number | string | null
    readonly out: string
    readonly err: string
  }>
}

/** Runs an ES module that may import the built `@rlvi/io`. */
export function script(source: string, args: readonly string[] = []): Running {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const argv = ['--input-type=module', '--eval', source, '--', ...args]
  const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => {
    err += piece
  })
  return {
    async says(text) {
      while (!out.includes(text)) {
        await new Promise((resolve) => {
          child.stdout.once('data', resolve)
          child.once('close', resolve)
        })
        if (child.exitCode !== null || child.signalCode !== null) {
          if (!out.includes(text)) throw new Error(`ended without ${JSON.stringify(text)}: ${err}`)
        }
      }
    },
    kill: (signal) => void child.kill(signal),
    end: new Promise((resolve) =>
      child.on('close', (status, signal) => resolve({ status: status ?? signal, out, err })),
    ),
  }
}
