import { describe, expect, it } from 'vitest'
import { expectClose } from '../../../testing/close.js'
import { levelOf } from './level.js'

describe('the level of several kinds of noise', () => {
  const levels = [0, 0.1, 0.2, 0.3, 0.4]
  const peak = (at: number, height: number): number[] => levels.map((l) => height - 500 * (l - at) ** 2)
  const uniform = { kind: 'uniform', levels, logEvidence: peak(0.1, 0) } as const
  const learnedAt = (at: number, height: number) =>
    ({ kind: 'learned', levels, logEvidence: peak(at, height) }) as const

  it('is that of uniform noise where another is far behind', () => {
    const alone = levelOf([uniform], 0)
    const both = levelOf([uniform, learnedAt(0.3, -60)], 0)
    expectClose([both.level, ...both.interval], [alone.level, ...alone.interval], 1e-9)
    expect(both.kind).toBe('uniform')
  })

  it('has both in its interval where neither is clearly better', () => {
    const { level, interval, kind } = levelOf([uniform, learnedAt(0.3, 0)], 0)
    expect(kind).toBe('uniform')
    expectClose(level, 0.1, 0.05)
    expect(interval[0]).toBeLessThan(0.1)
    expect(interval[1]).toBeGreaterThan(0.3)
  })

  it('is that of the other where it is clearly better, unless rows are too few to tell', () => {
    const learned = learnedAt(0.3, 20)
    const clear = levelOf([uniform, learned], 0)
    expect(clear.kind).toBe('learned')
    expectClose(clear.level, 0.3, 0.05)
    expect(clear.interval[0]).toBeGreaterThan(0.15)
    const few = levelOf([uniform, learned], 0.5)
    expect(few.kind).toBe('uniform')
    expectClose(few.level, 0.1, 0.2)
    expect(few.interval[1]).toBeGreaterThan(0.3)
  })

  it('count for all kinds of noise to the last, whatever its last digit', () => {
    const logEvidence = [-3, -2, -1, 0]
    const one = { kind: 'uniform', levels: [0, 0.3, 0.6, 0.9], logEvidence } as const
    const other = {
      kind: 'learned',
      levels: [0, 0.3, 0.6, 0.9000000000000001],
      logEvidence: [-9, -8, -7, -6],
    } as const
    expectClose(
      levelOf([one, other], 0.01).level,
      levelOf([one, { ...other, levels: one.levels }], 0.01).level,
      1e-9,
    )
  })
})
