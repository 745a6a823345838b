import { expect } from 'vitest'

type Numbers = number | ArrayLike<number>

/** Every entry within `relative` of the expected one, or within `absolute`. */
export function expectClose(got: Numbers, expected: Numbers, relative: number, absolute = 1e-300): void {
  const a = typeof got === 'number' ? [got] : Array.from(got)
  const b = typeof expected === 'number' ? [expected] : Array.from(expected)
  expect(a).toHaveLength(b.length)
  for (let i = 0; i < a.length; i++) {
    const gap = Math.abs(a[i] - b[i])
    if (!(gap <= Math.max(absolute, relative * Math.abs(b[i])))) {
      expect.fail(`entry ${i}: ${a[i]} is not within ${relative} (relative) or ${absolute} of ${b[i]}`)
    }
  }
}
