import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomGraph } from '../testing/random-graph.js'
import type { Executor, FloatArray } from './executor.js'
import { referenceExecutor } from './reference/reference.js'

/** On random graphs an executor must agree with another, by default the reference in float64: fetches and variables, over a few steps. */
export function agreementLaws(
  executor: () => Executor,
  tolerance: number,
  runs = 200,
  other: () => Executor = referenceExecutor,
): void {
  it(`agrees with ${other().name} on random graphs`, async () => {
    const seeds = fc.integer({ min: 0, max: 1e6 })
    await fc.assert(
      fc.asyncProperty(seeds, (seed) => expectAgreement(executor(), other(), seed, tolerance)),
      { numRuns: runs },
    )
  })
}

async function expectAgreement(
  executor: Executor,
  other: Executor,
  seed: number,
  tolerance: number,
): Promise<void> {
  const { graph, steps } = randomGraph(seed)
  const program = await executor.compile(graph)
  const oracle = await other.compile(graph)
  for (const [i, feeds] of steps.entries()) {
    const got = await program.run(feeds)
    const expected = await oracle.run(feeds)
    for (const { name } of graph.fetches)
      expectSame(got[name], expected[name], tolerance, `${name}, step ${i + 1}`)
  }
  for (const { name, tensor } of graph.variables) {
    if (graph.tensors[tensor].dtype !== 'f32') continue
    const got = await program.variables.read(name)
    expectSame(got, await oracle.variables.read(name), tolerance, `${name} in the end`)
  }
  await program.dispose()
  await oracle.dispose()
}

/** Entries are of the size of 1, so the tolerance is absolute up to there and relative above. */
function expectSame(got: FloatArray, expected: FloatArray, tolerance: number, what: string): void {
  expect(got.length, what).toBe(expected.length)
  const size = Array.from(expected).reduce((most, x) => Math.max(most, Math.abs(x)), 1)
  for (let i = 0; i < got.length; i++) {
    if (!(Math.abs(got[i] - expected[i]) <= tolerance * size)) {
      expect.fail(`${what}, entry ${i}: ${got[i]} is not ${expected[i]} within ${tolerance * size}`)
    }
  }
}
