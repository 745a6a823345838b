import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { normals, run, runJson, testFolder, uniforms } from '../testing/run.js'

const folder = testFolder()
const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../examples/data/${name}.csv`, import.meta.url))

describe('the default method', () => {
  test('finds the main sequence of CYG OB1, which the giants hide from least squares', async () => {
    // Rousseeuw and Leroy (1987): four giants turn the slope negative; robust estimators find it between 2 and 3.3.
    const found = await runJson('fit', example('stars'), '--target', 'log_light')
    expect([found.method, found.corruption.source]).toEqual(['calibrated', 'inferred'])
    const slope = found.params.coefficients.log_temperature
    const error = found.params.standardErrors.coefficients.log_temperature
    expect(Math.abs(slope - 2.65)).toBeLessThan(0.65 + error)
    const { out } = await run('fit', example('stars'), '--target', 'log_light')
    for (const giant of [11, 20, 30, 34]) expect(out).toMatch(new RegExp(`^ +${giant}  +0\\.000 `, 'm'))
  })

  test('flags the years in which minutes were counted instead of calls', async () => {
    const { out } = await run('fit', example('calls'), '--target', 'calls')
    for (const year of [1964, 1965, 1966, 1967, 1968, 1969]) {
      expect(out).toMatch(new RegExp(`^ +${year - 1949}  +0\\.000  +${year} `, 'm'))
    }
  })

  test('without bad rows it is least squares, with the errors that textbooks give', async () => {
    const z = normals(6)
    const rows = Array.from({ length: 60 }, () => {
      const x = 1960 + 9 * z()
      return [x, 40 - 3 * x + 2 * z()]
    })
    const path = folder.csv('clean.csv', [['year', 'y'], ...rows])
    const found = await runJson('fit', path, '--target', 'y')
    const plain = await runJson('fit', path, '--target', 'y', '--method', 'ml')
    expect([found.corruption.level, found.flagged]).toEqual([0, 0])
    expect(found.params.coefficients.year).toBeCloseTo(plain.params.coefficients.year, 8)
    const mean = rows.reduce((sum, [x]) => sum + x!, 0) / 60
    const squares = rows.reduce((sum, [x]) => sum + (x! - mean) ** 2, 0)
    const { scale, standardErrors } = found.params
    expect(standardErrors.coefficients.year / (scale / Math.sqrt(squares))).toBeCloseTo(1, 6)
    const intercept = scale * Math.sqrt(1 / 60 + mean ** 2 / squares)
    expect(standardErrors.intercept / intercept).toBeCloseTo(1, 6)
  })

  test('suggests the label that was changed', async () => {
    const u = uniforms(2)
    const rows: [number, number, string][] = []
    while (rows.length < 200) {
      const [a, b] = [6 * u() - 3, 6 * u() - 3]
      // No row is on the border.
      if (Math.abs(a + b) > 0.8) rows.push([a, b, a + b > 0 === rows.length % 10 > 0 ? 'dog' : 'cat'])
    }
    const path = folder.csv('pets.csv', [['a', 'b', 'kind'], ...rows])
    const { out } = await run('fit', path, '--target', 'kind', '--rows', `${folder.path}/rows.csv`)
    expect(out).toMatch(/^ +row \(from 1\) +P\(good\) +a +b +label +suggested +P\(suggested\)$/m)
    folder.lines('rows.csv').forEach(([row, , flagged, , , suggested], i) => {
      const [a, b] = rows[i]!
      expect(row).toBe(String(i + 1))
      // A changed label beside the border could also mean that the border runs elsewhere.
      if (Math.abs(a + b) > 1.6) expect(flagged).toBe(String(i % 10 === 0))
      expect(suggested).toBe(a + b > 0 ? 'dog' : 'cat')
    })
  })

  test('a mean does not depend on the units of its columns', async () => {
    const z = normals(7)
    const u = uniforms(7)
    const rows = Array.from({ length: 100 }, () => (u() < 0.1 ? [30 + z(), 30 + z()] : [z(), z()]))
    const metres = folder.csv('metres.csv', [['a', 'b'], ...rows])
    const other = folder.csv('other.csv', [['a', 'b'], ...rows.map(([a, b]) => [1000 * a! + 7, b!])])
    const one = await runJson('fit', metres, '--model', 'mean')
    const two = await runJson('fit', other, '--model', 'mean')
    expect(two.corruption.level).toBeCloseTo(one.corruption.level, 8)
    const same = (a: number, b: number): void => expect(a / b).toBeCloseTo(1, 8)
    same(two.params.mean[0], 1000 * one.params.mean[0] + 7)
    same(two.params.mean[1], one.params.mean[1])
    same(two.params.scale.a, 1000 * one.params.scale.a)
    same(two.params.standardErrors.mean[0], 1000 * one.params.standardErrors.mean[0])
    const single = await runJson('fit', metres, '--model', 'mean', '--features', 'a')
    expect(single.params.scale).toBeTypeOf('number')
  })

  test('separable classes are told of in words that a user of the command can act on', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => [i, i < 20 ? 'low' : 'high'])
    const path = folder.csv('separable.csv', [['x', 'y'], ...rows])
    const found = await run('fit', path, '--target', 'y', '--json')
    expect(found.status).toBe(0)
    expect([found.out, ...found.remarks].join()).not.toContain('ridge')
    const { status, reason, params } = JSON.parse(found.out)
    expect([status, reason, params.standardErrors]).toEqual(['degenerate', 'separable', undefined])
    const { out } = await run('fit', path, '--target', 'y')
    expect(out).toContain('status: degenerate (separable)')
    expect(out).not.toContain('±')
  })
})
