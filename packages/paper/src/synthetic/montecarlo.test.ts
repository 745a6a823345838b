import { describe, expect, it } from 'vitest'
import { describeViolation, montecarloCheck, nameOf, readGolden } from './montecarlo-check.js'
import { problems } from './problems/index.js'

const golden = readGolden()

describe('the golden Monte-Carlo rows', () => {
  it('are all covered, by name', () => {
    const ours = [...problems.values()].flatMap(({ name, methods }) =>
      methods.flatMap(({ method, variants }) => variants.map((variant) => `${name} ${method}/${variant}`)),
    )
    const theirs = [...new Set(golden.map((row) => `${row.problem} ${row.method}/${row.variant}`))]
    expect(theirs.filter((name) => !ours.includes(name))).toEqual([])
  })

  // A smaller version of `node packages/paper/dist/synthetic/montecarlo-check.js`: 150 runs, bands half as wide again.
  it.each([
    ['linreg_nu2.5', 0.2],
    ['logreg_n100', 0.05],
    ['pca', 0.2],
    ['cov', 0.2],
    ['mean', 0.3],
  ])('are met by %s at eps %d', async (problem, epsilon) => {
    const rows = golden.filter((row) => row.problem === problem && row.epsilon === epsilon)
    expect(rows.map(nameOf)).not.toEqual([])
    const comparisons = await montecarloCheck(rows, { runs: 150, seed: 1, threads: 1, slack: 1.5 })
    expect(comparisons.filter((c) => !c.inside).map(describeViolation)).toEqual([])
  })
})
