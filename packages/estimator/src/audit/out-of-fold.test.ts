import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { predictTable } from '../predict/predict-table.js'
import { judgeOutOfFold } from './out-of-fold.js'

const random = draws('out-of-fold', 1)
const normals = (n: number): number[] => Array.from({ length: n }, () => random.normal())

describe('labels judged out of fold', () => {
  it('are what fits to the other rows predict', () => {
    const n = 90
    const kind = Array.from({ length: n }, (_, i) => ['a', 'b', 'c'][i % 3]!)
    const x = normals(n).map((z, i) => z + 2 * (i % 3))
    const columns = { x, kind }
    const fit = fitTable(columns, { target: 'kind', method: 'ml' })
    const { probability, suggested, losses } = judgeOutOfFold(fit, { method: 'ml', folds: 3 })
    // Classes come in turn and begin at different folds: row i is the (i / 3)th of class i % 3.
    const foldOf = (i: number): number => (Math.floor(i / 3) + (i % 3)) % 3
    for (let k = 0; k < 3; k++) {
      const rows = (keep: boolean): number[] => [...x.keys()].filter((i) => (foldOf(i) === k) === keep)
      const part = (which: number[]) => ({ x: which.map((i) => x[i]!), kind: which.map((i) => kind[i]!) })
      const others = fitTable(part(rows(false)), { target: 'kind', method: 'ml' })
      const { predicted, suggested: said } = predictTable(others.model, part(rows(true)))
      rows(true).forEach((i, at) => {
        // Each part has units of its own, in which the small penalty is a little different.
        expect(probability[i]).toBeCloseTo(predicted![at]!, 2)
        if (probability[i]! > 0.6) expect(suggested[i]).toBe(said![at])
      })
    }
    for (const [i, p] of probability.entries())
      if (fit.model.target!.classes![suggested[i]!] === kind[i])
        expect(losses[i]).toBeCloseTo(-Math.log(p), 10)
  })

  it('do not look right only because a fit has learned them', () => {
    // Labels that nothing explains, and enough features to learn them by heart.
    const n = 80
    const kind = normals(n).map((z) => (z > 0 ? 'yes' : 'no'))
    const noise = Object.fromEntries(Array.from({ length: 60 }, (_, j) => [`x${j}`, normals(n)]))
    const fit = fitTable({ ...noise, kind }, { target: 'kind', method: 'ml' })
    const agreeing = (suggested: Int32Array): number =>
      suggested.filter((label, i) => label === fit.response!.y[i]).length
    expect(agreeing(fit.suggested!)).toBe(n)
    const outside = agreeing(judgeOutOfFold(fit, { method: 'ml' }).suggested)
    // Half of them are right by chance, give or take three standard deviations.
    expect(Math.abs(outside - n / 2)).toBeLessThan(3 * Math.sqrt(n / 4))
  })

  it('need labels, and folds', () => {
    const x = normals(20)
    const numbers = fitTable({ x, y: x.map((v) => 2 * v + random.normal()) }, { target: 'y' })
    expect(() => judgeOutOfFold(numbers)).toThrow('judgeOutOfFold: a fit of labels is needed, got "linear"')
    const labels = fitTable({ x, y: x.map((v) => (v > 0 ? 'p' : 'n')) }, { target: 'y', method: 'ml' })
    expect(() => judgeOutOfFold(labels, { folds: 1 })).toThrow('folds: a whole number from 2 to 20')
  })
})
