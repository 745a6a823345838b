import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for the files of one test file, gone when it is done. */
export function testFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rlvi-io-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}
