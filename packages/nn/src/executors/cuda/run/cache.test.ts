import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cacheFolder, openCache } from './cache.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rlvi-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

it('finds again what was found out, for the same card and libraries only', async () => {
  openCache('card 1', folder).choose('convolution a', 3)
  expect(openCache('card 1', folder).choice('convolution a')).toBe(3)
  expect((await anotherProgram()).openCache('card 1', folder).choice('convolution a')).toBe(3)
  expect(openCache('card 2', folder).choice('convolution a')).toBeUndefined()
})

it('lets what one program has chosen stay, though another one measured otherwise', async () => {
  const ours = openCache('card', folder)
  const theirs = (await anotherProgram()).openCache('card', folder)
  expect(ours.choose('a', 1)).toBe(1)
  expect(theirs.choose('b', 5)).toBe(5)
  expect(theirs.choose('a', 2)).toBe(1)
  expect(ours.choose('b', 4)).toBe(5)
  const later = (await anotherProgram()).openCache('card', folder)
  expect([later.choice('a'), later.choice('b')]).toEqual([1, 5])
})

/** What another process would load: nothing is shared but files. */
async function anotherProgram(): Promise<typeof import('./cache.js')> {
  vi.resetModules()
  return await import('./cache.js')
}

it('compiles a text once', () => {
  let compiled = 0
  const compile = (): Uint8Array => {
    compiled++
    return new Uint8Array([1, 2, 3])
  }
  expect([...openCache('card', folder).binary('text', compile)]).toEqual([1, 2, 3])
  expect([...openCache('card', folder).binary('text', compile)]).toEqual([1, 2, 3])
  expect(compiled).toBe(1)
})

it('starts anew where the file is damaged, and works where nothing can be written', async () => {
  openCache('card', folder).choose('a', 1)
  for (const file of readdirSync(folder)) writeFileSync(join(folder, file), '{')
  expect((await anotherProgram()).openCache('card', folder).choice('a')).toBeUndefined()
  const blocked = join(folder, 'file')
  writeFileSync(blocked, '')
  const none = openCache('card', join(blocked, 'below'))
  expect(none.choose('a', 1)).toBe(1)
  expect(openCache('card', join(blocked, 'below')).choose('a', 2)).toBe(1)
  expect([...none.binary('text', () => new Uint8Array([7]))]).toEqual([7])
})

it('lies beside fetched data', () => {
  expect(cacheFolder({ RLVI_CACHE: '/cache' })).toBe(join('/cache', 'cuda'))
  expect(cacheFolder({ XDG_CACHE_HOME: '/xdg' })).toBe(join('/xdg', 'rlvi', 'cuda'))
})
