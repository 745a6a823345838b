import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cacheFolder, openCache } from './cache.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rlvi-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

it('finds again what was found out, for the same card and libraries only', () => {
  const cache = openCache('card 1', folder)
  cache.choices.set('convolution a', 3)
  cache.saveChoices()
  expect([...openCache('card 1', folder).choices]).toEqual([['convolution a', 3]])
  expect(openCache('card 2', folder).choices.size).toBe(0)
})

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

it('starts anew where the file is damaged, and works where nothing can be written', () => {
  openCache('card', folder).choices.set('a', 1)
  const cache = openCache('card', folder)
  cache.choices.set('a', 1)
  cache.saveChoices()
  for (const file of readdirSync(folder)) writeFileSync(join(folder, file), '{')
  expect(openCache('card', folder).choices.size).toBe(0)
  const blocked = join(folder, 'file')
  writeFileSync(blocked, '')
  const none = openCache('card', join(blocked, 'below'))
  none.choices.set('a', 1)
  none.saveChoices()
  expect([...none.binary('text', () => new Uint8Array([7]))]).toEqual([7])
})

it('lies beside fetched data', () => {
  expect(cacheFolder({ RLVI_CACHE: '/cache' })).toBe(join('/cache', 'cuda'))
  expect(cacheFolder({ XDG_CACHE_HOME: '/xdg' })).toBe(join('/xdg', 'rlvi', 'cuda'))
})
