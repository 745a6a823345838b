import { expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'

// A run: the pace was computed from the time, right or wrong, and rounded.
const n = 120
const wave = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k)
const half = Array.from({ length: n }, (_, i) => 1.6 + 0.3 * wave(i, 1))
const finish = half.map((hours, i) => 2.1 * hours + 0.05 * wave(i, 2) + (i % 20 === 7 ? 1.5 : 0))
const pace = finish.map((hours) => Math.round((3600 * hours) / 42.195) / 60)
const speed = finish.map((hours) => Math.round((4219.5 / hours) * 100) / 10_000)

test('what was computed from the target is named, and without it the wrong values are found', () => {
  const { remarks } = fitTable({ half, pace, speed, finish }, { target: 'finish' })
  expect(remarks).toContain(
    'columns "pace", "speed" go with the target almost exactly in all rows: if they were computed from it, an error is in both and its row looks good; exclude ["pace","speed"] leaves them out',
  )
  const { flagged, remarks: others } = fitTable({ half, finish }, { target: 'finish' })
  expect(flagged).toBe(n / 20)
  expect(others.join()).not.toContain('almost exactly')
})

test('a feature that explains nearly all of the target, but not its errors, is none', () => {
  const again = half.map((hours, i) => 2.1 * hours + 0.02 * wave(i, 4))
  const { remarks } = fitTable({ half, again }, { target: 'again' })
  expect(remarks.join()).not.toContain('almost exactly')
})
