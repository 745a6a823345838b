import { describe, expect, it } from 'vitest'
import { expectNear, golden } from '../testing/golden.js'
import { constantRate, cosine, cumulativeDecay, linearDecay, multiStep, type Schedule } from './schedules.js'

describe('learning rates against torch', () => {
  const { lr_schedules } = golden()
  const cases: readonly (readonly [keyof typeof lr_schedules, Schedule])[] = [
    ['cosine', cosine(0.01, 200)],
    ['mnist_linear', linearDecay(0.01)],
    ['mnist_released_cumulative', cumulativeDecay(0.01)],
    ['multistep', multiStep(0.001, [10, 20, 30], 0.2)],
  ]
  it.each(cases)('%s', (name, schedule) => {
    const { lr } = lr_schedules[name]
    for (const [i, rate] of lr.entries()) expectNear([schedule(i + 1)], [rate], 1e-12, `epoch ${i + 1}`)
  })

  it('refuses a rate that is no rate', () => {
    expect(() => constantRate(-1)).toThrow('constantRate: the rate must be at least 0, got -1')
    expect(() => linearDecay(0.01, { hold: 40, end: 40 })).toThrow(
      'linear decay: must end after epoch 40, got 40',
    )
  })
})
