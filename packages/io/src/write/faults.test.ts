import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { testFolder } from '../testing/folder.js'
import { writeAtomic, writeAtomicSync } from './atomic.js'
import { disk } from './disk.js'

const root = testFolder()
const system = { ...disk }
let made = 0
afterEach(() => vi.restoreAllMocks())

function place(): { readonly folder: string; readonly path: string } {
  const folder = join(root, String(++made))
  mkdirSync(folder)
  const path = join(folder, 'out')
  writeFileSync(path, 'old')
  return { folder, path }
}

const forms = [
  ['writeAtomic', writeAtomic],
  ['writeAtomicSync', async (...args: Parameters<typeof writeAtomicSync>) => writeAtomicSync(...args)],
] as const
const fails = (code: string) => (): never => {
  throw Object.assign(new Error(`${code}: injected`), { code })
}
const text = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`).join('')

test.each(forms)('%s: a disk that takes a few bytes at a time gets all of them', async (_, write) => {
  const { path } = place()
  let calls = 0
  const few = (length: number): number => Math.min(length, 1 + (++calls % 700))
  vi.spyOn(disk, 'write').mockImplementation((file, bytes, at, length, position) =>
    system.write(file, bytes, at, few(length), position),
  )
  vi.spyOn(disk, 'writeSync').mockImplementation((file, bytes, at, length, position) =>
    system.writeSync(file, bytes, at, few(length), position),
  )
  await write(path, text)
  expect(calls).toBeGreaterThan(20)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test.each(forms)('%s: a disk that takes nothing, without a word, is not tried forever', async (_, write) => {
  const { folder, path } = place()
  vi.spyOn(disk, 'write').mockResolvedValue({ bytesWritten: 0 })
  vi.spyOn(disk, 'writeSync').mockReturnValue(0)
  await expect(write(path, text)).rejects.toThrow('could not be written, got the disk or the network failed')
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['out'])
})

/** The disk fails at the k-th call of anything, for every k until nothing is left to fail. */
test.each(forms)(
  '%s: wherever the disk fails, a whole file is there and nothing beside it',
  async (_, write) => {
    let failures = 0
    for (let k = 1; ; k++) {
      const { folder, path } = place()
      let calls = 0
      let hit: string | undefined
      for (const name of Object.keys(system) as (keyof typeof disk)[]) {
        vi.spyOn(disk, name).mockImplementation((...args: unknown[]) => {
          if (++calls === k) {
            hit = name
            // A descriptor is closed even when closing it reports an error.
            if (name === 'closeSync') system.closeSync(args[0] as number)
            fails('ENOSPC')()
          }
          return (system[name] as (...args: unknown[]) => never)(...args)
        })
      }
      const error = await write(path, text).then(
        () => undefined,
        (reason: Error) => reason,
      )
      vi.restoreAllMocks()
      const content = readFileSync(path, 'utf8')
      expect(readdirSync(folder)).toEqual(['out'])
      if (hit === undefined) {
        expect([error, content]).toEqual([undefined, text])
        break
      }
      failures++
      if (content === 'old')
        expect(error?.message).toBe(
          `${path}: could not be written, got the disk is full; the file before is still there: nothing was changed there`,
        )
      else {
        // Only after the file has its name.
        expect(content).toBe(text)
        expect(error?.message).toMatch(
          /could not be brought to the disk, got the disk is full; the new file is there/,
        )
      }
    }
    // Open, write, close, open, flush, close, rename; then the folder: open, flush, close.
    expect(failures).toBe(10)
  },
)

test.each(['EINVAL', 'EPERM', 'ENOTSUP'])(
  'a file system that cannot flush folders (%s) is none to fail for',
  async (code) => {
    const { path } = place()
    vi.spyOn(disk, 'fsyncSync').mockImplementation(fails(code))
    await writeAtomic(path, text)
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

test('everything is on the disk before the name, and the name before the end', async () => {
  const { path } = place()
  const order: string[] = []
  for (const name of ['write', 'fsync', 'renameSync', 'fsyncSync'] as const) {
    vi.spyOn(disk, name).mockImplementation((...args: unknown[]) => {
      order.push(name)
      return (system[name] as (...args: unknown[]) => never)(...args)
    })
  }
  await writeAtomic(path, text)
  expect(order).toEqual(['write', 'fsync', 'renameSync', 'fsyncSync'])
})
