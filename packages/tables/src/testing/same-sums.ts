import type { Params, Supervised } from 'rlvi'
import { type Aggregates, inBlocks, memoryBlocks, type PassModel, paperByPasses, type RowWeights } from 'rlvi/passes'
import { expect } from 'vitest'

/** Holds sums by SQL to those over the same rows in memory. */
export async function expectSameSums(
  model: PassModel<Params>,
  data: Supervised,
  sql: Aggregates<Params>,
): Promise<void> {
  const memory = inBlocks(model, { ...memoryBlocks(model, data), centre: sql.centre })
  // Off the best fit, where sums are not 0.
  const weights = Float64Array.from(data.y, (_, i) => 1 + (i % 3))
  const params = model.likelihood.fit(data, weights)
  const { least } = await memory.losses(params)
  const all = { by: 'all' } as const
  const byLosses: RowWeights<Params> = { by: 'losses', params, least, bend: 0.2, height: 1.2 }

  const [bins, wanted] = [await sql.losses(params), await memory.losses(params)]
  close([bins.least, bins.most], [wanted.least, wanted.most])
  close([bins.first, bins.beyond], [wanted.first, wanted.beyond])
  close(bins.sums, wanted.sums)

  const laws = model.by === 'moments' ? await lawsOf(model, data, params) : []
  for (const weights of [all, byLosses, ...laws.map((law): RowWeights<Params> => ({ by: 'law', params, law, use: 'fit' }))]) {
    if (model.by === 'moments')
      for (const more of [{}, { params }, { squared: true }]) {
        const [got, expected] = await Promise.all(
          [sql, memory].map((rows) => rows.moments({ weights, ...more })),
        )
        close([got!.weight, got!.responses], [expected!.weight, expected!.responses])
        close(got!.sums, expected!.sums)
        close(lower(got!.squares), lower(expected!.squares))
      }
    else
      for (const design of [false, true]) {
        const [got, expected] = await Promise.all(
          [sql, memory].map((rows) => rows.newton({ weights, params, design })),
        )
        close([got!.weight, got!.value], [expected!.weight, expected!.value])
        close(got!.responses, expected!.responses)
        close(got!.gradient, expected!.gradient)
        close(lower(got!.curvature), lower(expected!.curvature))
        if (design) close(lower(got!.design!), lower(expected!.design!))
      }
  }
}

/** Algorithm 1 by both, a few iterations of it: parameters, level and bound to 1e-8. */
export async function expectSameFit(
  model: PassModel<Params>,
  data: Supervised,
  sql: Aggregates<Params>,
): Promise<void> {
  const goodRows = model.name === 'covariance' ? { goodRows: 0.8 * data.x.rows } : {}
  const options = { ...goodRows, maxIterations: 3 }
  const wanted = await paperByPasses(model, inBlocks(model, memoryBlocks(model, data)), options)
  const got = await paperByPasses(model, sql, options)
  expect(got.status).toEqual(wanted.status)
  expect(got.iterations).toBe(wanted.iterations)
  close(model.likelihood.vector(got.params), model.likelihood.vector(wanted.params), 1e-8)
  close([got.corruption.level!], [wanted.corruption.level!], 1e-8)
  got.trace.forEach(({ bound, level }, k) => {
    close([bound], [wanted.trace[k]!.bound], 1e-8)
    close([level], [wanted.trace[k]!.level], 1e-8)
  })
}

function lower({ rows, cols, values }: { rows: number; cols: number; values: Float64Array }): number[] {
  return Array.from({ length: rows }, (_, j) => Array.from(values.subarray(j * cols, j * cols + j + 1))).flat()
}

/** Within `tolerance` of the largest of the expected numbers: sums may cancel. */
function close(got: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-10): void {
  expect(got.length).toBe(expected.length)
  const size = Array.from(expected).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  Array.from(expected).forEach((value, k) => {
    if (!(Math.abs(got[k]! - value) <= tolerance * size))
      expect.fail(`entry ${k}: ${got[k]} is not within ${tolerance} of ${value}, where the largest is ${size}`)
  })
}
