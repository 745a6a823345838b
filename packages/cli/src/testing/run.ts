import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { draws, seeded } from 'rlvi/random'
import { afterAll, expect } from 'vitest'
import { main } from '../main.js'

export interface Ran {
  readonly status: number
  readonly out: string
  /** The remarks, a line each. */
  readonly remarks: readonly string[]
}

/** The command, run inside the test. */
export async function run(...argv: string[]): Promise<Ran> {
  let out = ''
  const remarks: string[] = []
  const io = {
    async out(text: string) {
      out += text
    },
    remark: (line: string) => remarks.push(line),
    terminal: false,
  }
  const status = await main(argv, io)
  return { status, out, remarks }
}

/** The JSON of a command that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export async function runJson(...argv: string[]): Promise<any> {
  const { status, out, remarks } = await run(...argv, '--json')
  if (status !== 0) throw new Error(remarks.join('\n'))
  return JSON.parse(out)
}

/** What a command that must fail says last. */
export async function failure(...argv: string[]): Promise<string> {
  const { status, remarks } = await run(...argv)
  expect(status).toBe(1)
  return remarks.at(-1)!
}

/** Lines of a file. */
export function many(line: (i: number) => string, n = 60): string {
  return Array.from({ length: n }, (_, i) => line(i)).join('\n')
}

export interface Folder {
  readonly path: string
  /** Writes a file, returns its path. */
  file(name: string, content: string | Uint8Array): string
  /** Writes a CSV file from rows; quotes what needs it. */
  csv(name: string, rows: readonly (readonly unknown[])[]): string
  /** The lines of a CSV file without its header, as cells. For files without quotes. */
  lines(name: string): string[][]
}

/** A folder for the files of one test file, gone when it is done. */
export function testFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'rlvi-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(path, name), content)
    return join(path, name)
  }
  const cell = (value: unknown): string => {
    const text = value === null ? '' : String(value)
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return {
    path,
    file,
    csv: (name, rows) => file(name, `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`),
    lines(name) {
      const [, ...lines] = readFileSync(join(path, name), 'utf8').trimEnd().split('\n')
      return lines.map((line) => line.split(','))
    },
  }
}

/** Uniform numbers in [0, 1), the same for the same seed. */
export function uniforms(seed: number): () => number {
  return seeded('test', 'uniform', seed)
}

/** Standard normal ones. */
export function normals(seed: number): () => number {
  return draws('test', 'normal', seed).normal
}
