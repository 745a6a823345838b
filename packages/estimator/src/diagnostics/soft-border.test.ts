import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { softBorderRemark } from './soft-border.js'

describe('a soft border', () => {
  const corruption = { level: 0, interval: [0, 0.02], source: 'inferred' } as const
  const y = Float64Array.from({ length: 100 }, (_, i) => i % 2)
  const response = { name: 'label', y, classes: ['no', 'yes'] }
  const otherIn = (count: number) => ({
    response,
    suggested: Int32Array.from(y, (label, i) => (i < count ? 1 - label : label)),
  })

  it('is told where it explains more labels than can be wrong', () => {
    expect(softBorderRemark(corruption, otherIn(15))).toMatch(/^15 % of the labels are not the most/)
    expect(softBorderRemark(corruption, otherIn(6))).toBeUndefined()
    expect(softBorderRemark({ ...corruption, interval: [0, 0.2] }, otherIn(15))).toBeUndefined()
    expect(softBorderRemark({ ...corruption, interval: undefined }, otherIn(15))).toBeUndefined()
  })

  it('is told of all rows where only some are at hand', () => {
    const part = { rows: 1000, worst: 15, labels: Float64Array.of(400, 100, 50, 450) }
    expect(softBorderRemark(corruption, { ...otherIn(0), part })).toMatch(/^15 % of the labels/)
    const few = { ...part, labels: Float64Array.of(480, 20, 20, 480) }
    expect(softBorderRemark(corruption, { ...otherIn(15), part: few })).toBeUndefined()
  })

  it('is what labels that go wrong next to the border look like', () => {
    const random = draws('soft border', 1)
    const x = Array.from({ length: 300 }, () => random.normal())
    // Half of the labels within .4 of the border: about 15 % of all.
    const label = x.map((v) => (v > 0 !== (Math.abs(v) < 0.4 && random.uniform(0, 1) < 0.5) ? 'yes' : 'no'))
    const { remarks, corruption: found } = fitTable({ x, label }, { target: 'label' })
    expect(found.interval![1]).toBeLessThan(0.1)
    expect(remarks.join()).toContain('wrong labels that lie only where classes meet')
    const clean = fitTable({ x, label: x.map((v) => (v > 0 ? 'yes' : 'no')) }, { target: 'label' })
    expect(clean.remarks.join()).not.toContain('where classes meet')
  })
})
