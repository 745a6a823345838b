import { readFileSync } from 'node:fs'
import { fromRows } from 'rlvi'
import { describe, expect, it } from 'vitest'
import { covarianceProblem } from './covariance.js'
import { linearProblem } from './linear.js'
import { logisticProblem } from './logistic.js'
import { meanProblem } from './mean.js'
import { pcaProblem } from './pca.js'
import type { Definition } from './problem.js'

interface Golden {
  readonly X?: number[][]
  readonly Z?: number[][]
  readonly y?: number[]
  readonly results: Record<string, { error: number } | null>
}
const file = new URL('../../../core/golden/standard.json', import.meta.url)
const golden: { problems: Record<string, { datasets: Golden[] }> } = JSON.parse(readFileSync(file, 'utf8'))

function check<D>(problem: Definition<D>, read: (data: Golden) => D, tolerance: number): void {
  describe(problem.name, () => {
    for (const { method, variants, error } of problem.methods) {
      for (const variant of variants) {
        it(`${method}/${variant}`, () => {
          const bad: string[] = []
          golden.problems[problem.name].datasets.forEach((data, k) => {
            const want = data.results[`${method}/${variant}`]
            if (want === undefined) return
            const got = error(read(data))
            const w = want === null ? Number.NaN : want.error
            if (
              !(Math.abs(got - w) <= tolerance * Math.max(1e-3, w)) &&
              !(Number.isNaN(got) && Number.isNaN(w))
            )
              bad.push(`${k}: ${got} ${w}`)
          })
          expect(bad).toEqual([])
        })
      }
    }
  })
}
const sup = (d: Golden) => ({ x: fromRows(d.X!), y: Float64Array.from(d.y!) })
const supOne = (d: Golden) => ({ x: fromRows(d.X!.map((r) => [1, ...r])), y: Float64Array.from(d.y!) })
const uns = (d: Golden) => ({ x: fromRows(d.Z!) })
check(linearProblem(2.5), sup, 1e-6)
check(linearProblem(1.5), sup, 1e-6)
check(logisticProblem(100), supOne, 1e-3)
check(logisticProblem(200), supOne, 1e-3)
check(pcaProblem, uns, 1e-5)
check(covarianceProblem, uns, 1e-5)
check(meanProblem, uns, 1e-5)
