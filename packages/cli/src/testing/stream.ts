import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { normals, uniforms } from './run.js'

export const rlviBin: string = fileURLToPath(new URL('../../bin/rlvi.js', import.meta.url))

export type StreamRow = Record<string, number | string>

/** y = 1 where x1 > x2, one label in seven wrong; z is a number for linear models, some of them far off. */
export function streamRows(n: number, seed: number): StreamRow[] {
  const z = normals(seed)
  const u = uniforms(seed + 1)
  return Array.from({ length: n }, () => {
    const [x1, x2] = [z(), 10 + 3 * z()]
    const right = x1 > (x2 - 10) / 3 ? 1 : 0
    const y = u() < 1 / 7 ? 1 - right : right
    const number = 2 * x1 - x2 + 0.1 * z() + (u() < 1 / 7 ? 30 * u() : 0)
    return { x1, x2, y, z: number, city: u() < 0.3 ? 'oslo' : 'rome' }
  })
}

export function ndjson(rows: readonly StreamRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

export function csv(rows: readonly StreamRow[]): string {
  const names = Object.keys(rows[0] ?? {})
  return `${names.join(',')}\n${rows.map((row) => `${names.map((name) => row[name]).join(',')}\n`).join('')}`
}

/** The lines of an output. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export function parsed(out: string): any[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The command as a process. */
export interface Running {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** The exit status, or the signal that ended it. */
  readonly status: Promise<number | string | null>
  /** Waits until stdout has so many lines. */
  lines(count: number): Promise<void>
}

/** Starts `rlvi stream` with batches of 30. */
export function rlvi(
  argv: readonly string[],
  stdio: ('pipe' | 'ignore' | number)[] = ['pipe', 'pipe', 'pipe'],
): Running {
  const child = spawn(process.execPath, [rlviBin, 'stream', '--target', 'y', '--batch', '30', ...argv], {
    stdio,
  })
  let out = ''
  let err = ''
  child.stdout?.on('data', (piece) => {
    out += piece
  })
  child.stderr?.on('data', (piece) => {
    err += piece
  })
  child.stdin?.on('error', () => undefined)
  return {
    child,
    out: () => out,
    err: () => err,
    status: new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal))),
    async lines(count) {
      while (out.split('\n').length <= count && child.exitCode === null) await sleep(5)
    },
  }
}
