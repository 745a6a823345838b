import { describe, expect, it } from 'vitest'
import { type Matrix, matrix } from '../../matrix.js'
import { draws } from '../../random/draws.js'
import { twoGroups } from './two-groups.js'

function cloud(rows: number, cols: number, share: number, distance: number): Matrix {
  const random = draws('two-groups', rows, cols, share, distance)
  const x = matrix(rows, cols)
  for (let k = 0; k < x.values.length; k++) {
    const far = Math.floor(k / cols) < share * rows && k % cols === 0
    x.values[k] = random.normal() + (far ? distance : 0)
  }
  return x
}

describe('two groups', () => {
  it.each([
    [1, 0.2],
    [3, 0.1],
    [5, 0.3],
    [10, 0.2],
  ])('in %i columns, a share of %s at 5 scales, are found', (cols, share) => {
    const found = twoGroups(cloud(300, cols, share, 5))!
    expect(Math.min(found.share, 1 - found.share)).toBeCloseTo(share, 1)
    expect(Math.abs(found.distance - 5)).toBeLessThan(1)
  })

  it.each([1, 3, 10])('in %i columns of one normal cloud gain less than they cost', (cols) => {
    expect(twoGroups(cloud(300, cols, 0, 0))!.gain).toBeLessThan(0.5 * (cols + 1) * Math.log(300) + 5)
  })

  it('gain what the likelihood of two normal laws says', () => {
    const x = cloud(200, 1, 0.3, 6)
    const { share, distance, gain, second } = twoGroups(x)!
    const weighted = (w: (i: number) => number, v: (i: number) => number): number => {
      let [sum, total] = [0, 0]
      for (let i = 0; i < 200; i++) [sum, total] = [sum + w(i) * v(i), total + w(i)]
      return sum / total
    }
    const of = (i: number): number => x.values[i]
    const all = weighted(() => 1, of)
    const [far, near] = [weighted((i) => second[i], of), weighted((i) => 1 - second[i], of)]
    const spread = Math.abs(far - near) / distance
    const normal = (v: number, centre: number, s: number): number =>
      Math.exp(-0.5 * ((v - centre) / s) ** 2) / (s * Math.sqrt(2 * Math.PI))
    const one = Math.sqrt(
      weighted(
        () => 1,
        (i) => (of(i) - all) ** 2,
      ),
    )
    let ratio = 0
    for (const v of x.values)
      ratio += Math.log(
        (share * normal(v, far, spread) + (1 - share) * normal(v, near, spread)) / normal(v, all, one),
      )
    expect(gain).toBeCloseTo(ratio, 2)
  })

  it('depend on no units and no mixture of columns', () => {
    const x = cloud(200, 2, 0.2, 5)
    const mixed = matrix(200, 2)
    for (let i = 0; i < 200; i++) {
      const [a, b] = [x.values[2 * i], x.values[2 * i + 1]]
      mixed.values.set([3 * a + b + 10, 0.1 * b - a], 2 * i)
    }
    expect(twoGroups(mixed)!.gain).toBeCloseTo(twoGroups(x)!.gain, 1)
  })
})
