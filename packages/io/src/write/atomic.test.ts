import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IoError } from '../errors.js'
import { testFolder } from '../testing/folder.js'
import { writeAtomic, writeAtomicSync } from './atomic.js'

const root = testFolder()
let made = 0

/** A new folder, and a file in it that is there already. */
function place(content?: string): { readonly folder: string; readonly path: string } {
  const folder = join(root, String(++made))
  mkdirSync(folder)
  const path = join(folder, 'out.txt')
  if (content !== undefined) writeFileSync(path, content)
  return { folder, path }
}

const forms = [
  ['writeAtomic', writeAtomic],
  ['writeAtomicSync', async (...args: Parameters<typeof writeAtomicSync>) => writeAtomicSync(...args)],
] as const

test.each(forms)(
  '%s: text and bytes, where there was nothing and where there was something',
  async (_, write) => {
    const { folder, path } = place()
    await write(path, 'grün\n')
    expect(readFileSync(path, 'utf8')).toBe('grün\n')
    await write(path, Uint8Array.of(0, 255, 10))
    expect([...readFileSync(path)]).toEqual([0, 255, 10])
    await write(path, '')
    expect(statSync(path).size).toBe(0)
    expect(readdirSync(folder)).toEqual(['out.txt'])
  },
)

test.each(forms)(
  '%s: the file before keeps its permissions, and who has it open keeps the file',
  async (_, write) => {
    const { folder, path } = place('old')
    linkSync(path, join(folder, 'other'))
    for (const mode of [0o640, 0o444, 0o755]) {
      chmodSync(path, mode)
      await write(path, 'new')
      expect(statSync(path).mode & 0o777).toBe(mode)
    }
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('old')
  },
)

test.each(forms)('%s: a link stays, and the file that it leads to is replaced', async (_, write) => {
  const { folder, path } = place('old')
  const link = join(folder, 'link')
  symlinkSync('out.txt', link)
  await write(link, 'new')
  expect([readlinkSync(link), readFileSync(path, 'utf8')]).toEqual(['out.txt', 'new'])
  // Also to a file that is not there yet, through a folder that is a link itself.
  mkdirSync(join(folder, 'real/deep'), { recursive: true })
  symlinkSync('real/deep', join(folder, 'short'))
  symlinkSync('../new.txt', join(folder, 'real/deep/up'))
  await write(join(folder, 'short/up'), 'there')
  expect(readFileSync(join(folder, 'real/new.txt'), 'utf8')).toBe('there')
  expect(readlinkSync(join(folder, 'real/deep/up'))).toBe('../new.txt')
})

test.each(forms)('%s: what cannot be a file', async (_, write) => {
  const { folder, path } = place()
  await expect(write(folder, 'x')).rejects.toThrow(
    `${folder}: a file to write is needed, got a folder; give a file name`,
  )
  symlinkSync('loop', join(folder, 'loop'))
  await expect(write(join(folder, 'loop'), 'x')).rejects.toThrow('got links that lead in a circle')
  writeFileSync(path, '')
  await expect(write(join(path, 'x'), 'x')).rejects.toThrow('got a part of the path is not a folder')
  await expect(write(join(folder, 'x'.repeat(256)), 'x')).rejects.toThrow('got a name that is too long')
  expect(readdirSync(folder).sort()).toEqual(['loop', 'out.txt'])
})

test.each(forms)('%s: a folder that is not there is an error, or made', async (_, write) => {
  const { folder } = place()
  const path = join(folder, 'a/b/c.txt')
  const refused = write(path, 'x')
  await expect(refused).rejects.toThrow(
    `${path}: could not be written, got no such file or folder; nothing was changed there`,
  )
  await expect(refused).rejects.toBeInstanceOf(IoError)
  expect(readdirSync(folder)).toEqual([])
  await write(path, 'x', { makeFolder: true })
  await write(path, 'y', { makeFolder: true })
  expect(readFileSync(path, 'utf8')).toBe('y')
})

test.each(forms)('%s: a name as long as a name may be', async (_, write) => {
  const { folder } = place()
  const name = `${'é'.repeat(125)}.json`
  await write(join(folder, name), 'x')
  expect(readdirSync(folder)).toEqual([name])
})

// Root may write anywhere.
test.skipIf(process.getuid?.() === 0).each(forms)(
  '%s: a folder that may not be written to',
  async (_, write) => {
    const { folder, path } = place('old')
    chmodSync(folder, 0o555)
    await expect(write(path, 'new')).rejects.toThrow(
      'could not be written, got no permission; the file before is still there',
    )
    chmodSync(folder, 0o755)
    expect(readFileSync(path, 'utf8')).toBe('old')
  },
)

test.skipIf(!existsSync('/dev/full')).each(forms)(
  '%s: a device is written to, and stays',
  async (_, write) => {
    const { folder } = place()
    const link = join(folder, 'full')
    symlinkSync('/dev/full', link)
    await expect(write(link, 'x')).rejects.toThrow(`${link}: could not be written, got the disk is full`)
    await write('/dev/null', 'x')
    expect([statSync('/dev/full').isFile(), statSync('/dev/null').isFile()]).toEqual([false, false])
  },
)

test.skipIf(process.platform === 'win32')('a pipe is written to while its reader reads', async () => {
  const { folder } = place()
  const pipe = join(folder, 'pipe')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  const text = 'x'.repeat(1_000_000)
  const read = readFile(pipe, 'utf8')
  await writeAtomic(pipe, async (file) => {
    await file.write(text)
    await file.write('end')
  })
  expect((await read) === `${text}end`).toBe(true)
  expect(statSync(pipe).isFIFO()).toBe(true)
})

test('piece by piece, and by whoever writes by name', async () => {
  const { folder, path } = place('old')
  await writeAtomic(path, async (file) => {
    for (const piece of ['a', 'b', Uint8Array.of(99)]) await file.write(piece)
    expect(readFileSync(path, 'utf8')).toBe('old')
  })
  expect(readFileSync(path, 'utf8')).toBe('abc')
  chmodSync(path, 0o600)
  await writeAtomic(path, (file) => writeFile(file.path, 'by name'))
  expect(readFileSync(path, 'utf8')).toBe('by name')
  // Some libraries put a file of their own there.
  await writeAtomic(path, async (file) => {
    await writeFile(`${file.path}.own`, 'renamed')
    renameSync(`${file.path}.own`, file.path)
  })
  expect(readFileSync(path, 'utf8')).toBe('renamed')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['out.txt'])
})

test('what is being written can be read by nobody else than the file before', async () => {
  const { path } = place('secret')
  chmodSync(path, 0o600)
  await writeAtomic(path, async (file) => {
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
  })
})

test('a failure halfway leaves the file before, nothing else, and the error of who failed', async () => {
  const { folder, path } = place('old')
  const own = new IoError('row 7', 'a number is needed', 'none')
  const failing = (error: unknown) => async (file: { write(text: string): Promise<void> }) => {
    await file.write('half')
    throw error
  }
  await expect(writeAtomic(path, failing(own))).rejects.toBe(own)
  await expect(writeAtomic(path, failing(new Error('no engine')))).rejects.toThrow(
    `${path}: could not be written, got no engine; the file before is still there: nothing was changed there`,
  )
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['out.txt'])
})

test('listens to signals only while it writes', async () => {
  const { path } = place()
  const counts = (): number[] => ['SIGINT', 'SIGTERM', 'exit'].map((name) => process.listenerCount(name))
  const before = counts()
  await writeAtomic(path, async () => {
    expect(counts()).toEqual(before.map((count) => count + 1))
  })
  await writeAtomic('/dev/null', failed).catch(() => undefined)
  await writeAtomic(path, failed).catch(() => undefined)
  expect(counts()).toEqual(before)
})

async function failed(): Promise<void> {
  throw new Error('failed')
}
