import type { Params, Supervised } from 'rlvi'
import {
  type Aggregates,
  calibratedByPasses,
  inBlocks,
  memoryBlocks,
  type PassModel,
  paperByPasses,
  type RowWeights,
} from 'rlvi/passes'
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

  for (const weights of [all, byLosses, { ...byLosses, orRight: true }]) {
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
          [sql, memory].map((rows) => rows.newton({ weights, params, design, squared: design })),
        )
        close([got!.weight, got!.value], [expected!.weight, expected!.value])
        close(got!.responses, expected!.responses)
        close(got!.gradient, expected!.gradient)
        close(lower(got!.curvature), lower(expected!.curvature))
        if (design) close(lower(got!.design!), lower(expected!.design!))
      }
  }
  if (model.name === 'poisson') await expectSameCounts(params, sql, memory)
  if (model.by === 'newton') {
    const [got, expected] = await Promise.all([sql, memory].map((rows) => rows.information(params, byLosses)))
    close(got!.values, expected!.values)
  } else {
    const [got, expected] = await Promise.all(
      [sql, memory].map((rows) => rows.offsets({ params, unit: 2.5 })),
    )
    expect(got!.counts).toEqual(expected!.counts)
    close(got!.values, expected!.values)
  }
}

/** Shells of bad counts, and sums by P(good) among them, under laws with and without a dispersion. */
async function expectSameCounts(
  params: Params,
  sql: Aggregates<Params>,
  memory: Aggregates<Params>,
): Promise<void> {
  for (const [dispersion, height, reach] of [
    [0, 0, 'all'],
    [0.3, 1, 'mean'],
  ] as const) {
    const ask = { params, at: params, least: 2, core: { height, reach } }
    const [got, wanted] = [sql, memory].map((rows) => rows.counted!(dispersion))
    const [bins, expected] = [await got!.shells(ask), await wanted!.shells(ask)]
    close([bins.least, bins.core], [expected.least, expected.core])
    close(bins.shells, expected.shells)
    close(
      [bins.logDensities, bins.loss, bins.certain.loss, bins.certain.rows],
      [expected.logDensities, expected.loss, expected.certain.loss, expected.certain.rows],
    )
    expected.bins.forEach((own, k) => {
      expect(bins.bins[k]!.sums.length).toBe(own.sums.length)
      close(bins.bins[k]!.sums, own.sums)
    })
    const shares = Float64Array.from(expected.shells, (_, k) => (k + 1) / 10)
    const weights = { by: 'counts', ...ask, good: 0.8, shares } as const
    const [newton, other] = [
      await got!.newton({ weights, params }),
      await wanted!.newton({ weights, params }),
    ]
    close([newton.weight, newton.value], [other.weight, other.value])
    close(newton.gradient, other.gradient)
    close(lower(newton.curvature), lower(other.curvature))
    close(
      (await got!.information(params, weights)).values,
      (await wanted!.information(params, weights)).values,
    )
  }
}

/** Algorithm 1 by both, a few iterations of it: parameters, level and bound to 1e-8. */
export async function expectSameFit(
  model: PassModel<Params>,
  data: Supervised,
  sql: Aggregates<Params>,
  maxIterations = 3,
): Promise<void> {
  const goodRows = model.name === 'covariance' ? { goodRows: 0.8 * data.x.rows } : {}
  const options = { ...goodRows, maxIterations }
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

/** The recommended method by both, under one law: parameters, level, bound and standard errors to 1e-8. */
export async function expectSameCalibrated(
  model: PassModel<Params>,
  data: Supervised,
  sql: Aggregates<Params>,
  errors: 'auto' | 'normal' | 'student' | 'light' | 'skewed' | 'varying' = 'auto',
): Promise<void> {
  const memory = inBlocks(model, { ...memoryBlocks(model, data), centre: sql.centre })
  const [wanted, got] = [
    await calibratedByPasses(model, memory, data, { errors }),
    await calibratedByPasses(model, sql, data, { errors }),
  ]
  const tolerance = 1e-8
  expect(got.status).toEqual(wanted.status)
  expect(got.errors?.name).toBe(wanted.errors?.name)
  close(model.likelihood.vector(got.params), model.likelihood.vector(wanted.params), tolerance)
  close([got.corruption.level!], [wanted.corruption.level!], tolerance)
  close(
    got.trace.map(({ bound }) => bound),
    wanted.trace.map(({ bound }) => bound),
    tolerance,
  )
  if (wanted.covariance !== undefined) close(got.covariance!.values, wanted.covariance.values, tolerance)
}

function lower({ rows, cols, values }: { rows: number; cols: number; values: Float64Array }): number[] {
  return Array.from({ length: rows }, (_, j) =>
    Array.from(values.subarray(j * cols, j * cols + j + 1)),
  ).flat()
}

/** Within `tolerance` of the largest of the expected numbers: sums may cancel. */
function close(got: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-10): void {
  expect(got.length).toBe(expected.length)
  const size = Array.from(expected).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  Array.from(expected).forEach((value, k) => {
    if (!(Math.abs(got[k]! - value) <= tolerance * size))
      expect.fail(
        `entry ${k}: ${got[k]} is not within ${tolerance} of ${value}, where the largest is ${size}`,
      )
  })
}
