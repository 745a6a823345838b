import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Column } from '@rlvi/estimator'
import { afterAll } from 'vitest'

/** A folder for the files of one test file, gone when it is done. */
export function testFolder(): { path: string; file: (name: string, content: string | Uint8Array) => string } {
  const path = mkdtempSync(join(tmpdir(), 'rlvi-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(path, name), content)
    return join(path, name)
  }
  return { path, file }
}

/** The values of a column as it was read, null where there is none. */
export function cellsOf(column: Column): (number | string | null)[] {
  if (column instanceof Float64Array)
    return Array.from(column, (value) => (Number.isNaN(value) ? null : value))
  if ('codes' in column) return Array.from(column.codes, (code) => column.values[code] ?? null)
  if (!('matrix' in column)) throw new Error('another column than files have')
  const { rows, cols, values } = column.matrix
  return Array.from({ length: rows }, (_, i) => {
    const value = values[i * cols + column.column]!
    return Number.isNaN(value) ? null : value
  })
}
