import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
