import { fromRows } from 'rlvi'
import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { habitsRemark, namedHabits, throughHabits } from './habits.js'
import { judgeOutOfFold } from './out-of-fold.js'

const HABITS = fromRows([
  [0.98, 0.01, 0.01],
  [0.01, 0.87, 0.12],
  [0, 0.02, 0.98],
])

describe('habits', () => {
  it('are said where they are more than chance, in the table’s own names', () => {
    const habits = namedHabits(HABITS, ['setosa', 'versicolor', 'virg\ninica'])
    expect(habits).toEqual([{ truth: 'versicolor', label: 'virg\ninica', share: 0.12 }])
    expect(habitsRemark(habits)).toBe(
      'wrong labels have habits: "versicolor" labelled as "virg\\ninica": 12 %',
    )
    expect(habitsRemark([])).toBeUndefined()
  })

  it('are at most four in a line', () => {
    const many = Array.from({ length: 6 }, (_, k) => ({ truth: `a${k}`, label: 'b', share: 0.05 }))
    expect(habitsRemark(many)).toMatch(/"a3" labelled as "b": 5 %, and 2 more$/)
  })

  it('turn P(class) into P(true class | label)', () => {
    const posterior = throughHabits(Float64Array.of(0, 0.6, 0.4), 2, HABITS)
    // By hand: 0.6 x 0.12 and 0.4 x 0.98.
    expect(posterior[1]).toBeCloseTo(0.072 / 0.464, 12)
    expect(posterior[2]).toBeCloseTo(0.392 / 0.464, 12)
  })
})

describe('a table whose labels have habits', () => {
  const random = draws('habits', 3)
  const kinds = ['oak', 'ash', 'elm']
  const truth = Array.from({ length: 240 }, (_, i) => i % 3)
  const place = truth.map((c) => 4 * c + random.normal())
  const width = truth.map((c) => (c === 1 ? 4 : 0) + random.normal())
  // Three in ten ashes are called elms, and no other label is wrong.
  const label = truth.map((c, i) => kinds[c === 1 && i % 10 < 3 ? 2 : c]!)
  const fit = fitTable({ place, width, label }, { target: 'label' })

  it('says so in a line, and has them as data', () => {
    expect(fit.habits?.[0]).toMatchObject({ truth: 'ash', label: 'elm' })
    expect(Math.abs(fit.habits![0]!.share - 0.3)).toBeLessThan(0.1)
    expect(fit.remarks.join()).toContain('wrong labels have habits: "ash" labelled as "elm"')
    expect(fit.corruption.habits?.rows).toBe(3)
  })

  it('suggests the true label', () => {
    const { suggested } = judgeOutOfFold(fit)
    const right = truth.filter((c, i) => fit.response!.classes![suggested[i]!] === kinds[c]).length
    // The labels as given are right for 90 %.
    expect(right / truth.length).toBeGreaterThan(0.96)
  })

  it('has none where one method does not look for them', () => {
    const ml = fitTable({ place, width, label }, { target: 'label', method: 'ml' })
    expect(ml.habits).toBeUndefined()
    expect(ml.remarks.join()).not.toContain('habits')
  })
})
