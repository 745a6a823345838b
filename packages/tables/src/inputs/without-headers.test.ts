import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFiles } from './temporary.js'
import { withoutHeaders } from './without-headers.js'

const folder = mkdtempSync(join(tmpdir(), 'rlvi-test-'))
const temporary = temporaryFiles()
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await temporary.remove()
})

async function copyOf(text: string): Promise<string | undefined> {
  const file = join(folder, 'table.csv')
  writeFileSync(file, text)
  const found = await withoutHeaders({ path: file, file, format: 'csv', remarks: [] }, 'a,b', temporary)
  return found && readFileSync(found.file, 'utf8')
}

test('leaves out lines that repeat the header, and changes nothing else', async () => {
  const first = '\ufeffa,b\r\n1,"one\rtwo\r\nthree\u2028four"\r\n'
  // Longer than what is read at once, so that lines are cut.
  const many = '2,\u00e9\r\n'.repeat(30_000)
  expect(await copyOf(`${first}a,b\r\n${many}a,b\r\n3,c`)).toBe(`${first}${many}3,c`)
  expect(await copyOf('a,b\n1,2\na,b')).toBe('a,b\n1,2\n')
})

test('makes no copy where the header stands once', async () => {
  expect(await copyOf('a,b\n1,2\n')).toBeUndefined()
})
