import { expect, it } from 'vitest'
import { everySubset } from './subset-starts.js'

it('has every subset once, by the rule of Pascal', () => {
  for (const [n, size, count] of [
    [5, 2, 10],
    [6, 3, 20],
    [4, 4, 1],
    [9, 1, 9],
  ]) {
    const all = everySubset(n, size, 100)!
    expect(new Set(all.map(String)).size).toBe(count)
    for (const subset of all) {
      expect(new Set(subset).size).toBe(size)
      expect(subset.every((row) => row >= 0 && row < n)).toBe(true)
    }
  }
  expect(everySubset(20, 10, 1000)).toBeUndefined()
})
