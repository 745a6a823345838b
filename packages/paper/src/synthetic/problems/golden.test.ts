import { readFileSync } from 'node:fs'
import { fromRows, type Supervised, type Unsupervised } from 'rlvi'
import { describe, expect, it } from 'vitest'
import { covarianceProblem } from './covariance.js'
import { linearProblem } from './linear.js'
import { logisticProblem } from './logistic.js'
import { meanProblem } from './mean.js'
import { pcaProblem } from './pca.js'
import type { Definition } from './problem.js'

interface DataSet {
  readonly X: number[][]
  readonly Z: number[][]
  readonly y: number[]
  /** null: the method raised. */
  readonly results: Readonly<Record<string, { readonly error: number } | null>>
}
const file = new URL('../../../../core/golden/standard.json', import.meta.url)
const golden: { problems: Record<string, { datasets: DataSet[] }> } = JSON.parse(readFileSync(file, 'utf8'))

/**
 * Every method of a problem on the 15 golden data sets. Where the released code ends on a knife edge (its stopping rule,
 * an unbracketed search that stalls, signs that LAPACK chooses), a data set or two may differ; everything else must agree.
 */
function agrees<D>(problem: Definition<D>, read: (data: DataSet) => D, tolerance: number): void {
  describe(problem.name, () => {
    for (const { method, variants, error } of problem.methods) {
      for (const variant of variants) {
        const name = `${method}/${variant}`
        const wanted = golden.problems[problem.name].datasets.filter((data) => name in data.results)
        // The diagnostic variants are in the Monte-Carlo numbers only.
        if (wanted.length === 0) continue
        it(name, () => {
          const differ = wanted.filter((data) => {
            const want = data.results[name]?.error ?? Number.NaN
            const got = error(read(data))
            if (Number.isNaN(want)) return !Number.isNaN(got)
            return !(Math.abs(got - want) <= tolerance * Math.max(want, 1e-3))
          })
          const fragile = /released|blind/.test(variant) && /SEVER|RRM|RLVI/.test(method)
          expect(wanted).toHaveLength(15)
          expect(differ.length).toBeLessThanOrEqual(fragile ? 2 : 0)
        })
      }
    }
  })
}

const supervised = (data: DataSet): Supervised => ({ x: fromRows(data.X), y: Float64Array.from(data.y) })
const withOnes = (data: DataSet): Supervised => ({
  x: fromRows(data.X.map((row) => [1, ...row])),
  y: Float64Array.from(data.y),
})
const unsupervised = (data: DataSet): Unsupervised => ({ x: fromRows(data.Z) })

agrees(linearProblem(2.5), supervised, 1e-6)
agrees(linearProblem(1.5), supervised, 1e-6)
agrees(logisticProblem(100), withOnes, 1e-3)
agrees(logisticProblem(200), withOnes, 1e-3)
agrees(pcaProblem, unsupervised, 1e-5)
agrees(covarianceProblem, unsupervised, 1e-6)
agrees(meanProblem, unsupervised, 1e-6)
