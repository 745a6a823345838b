import { draws } from 'rlvi/random'
import { expect, it } from 'vitest'
import { run, runJson, testFolder } from '../../packages/cli/src/testing/run.js'
import type { Cluster } from './cluster.js'
import { addressOf, type Cell, load } from './tables.js'

/** More rows than are fitted in memory. */
const N = 2100

/** Columns that are mostly empty, or hold one value or none, cost no rows on a server either. */
export function gaps(cluster: () => Cluster): void {
  const folder = testFolder()
  it('leaves out what is mostly empty before rows with gaps', async () => {
    const { normal } = draws('clickhouse', 'gaps')
    const rows = Array.from({ length: N }, (_, i): Cell[] => {
      const x = normal()
      const kind = i % 70 === 1 ? 'rare' : i % 2 === 0 ? 'a' : 'b'
      const y = i % 9 === 0 ? null : 2 * x + (kind === 'rare' ? 3 : 0) + 0.1 * normal()
      // The rare kind comes in rows without a note only.
      return [x, kind, i % 5 === 0 ? 'late' : null, i % 4 === 0 ? i % 7 : null, i % 3 === 0 ? null : 'yes', y]
    })
    const names = ['x', 'kind', 'note', 'score', 'member', 'y']
    await load(cluster(), 'mostly_empty', {
      names,
      kinds: ['number', 'text', 'text', 'number', 'text', 'number'],
      rows,
    })
    const file = folder.csv('gaps.csv', [names, ...rows])
    const flags = ['--target', 'y', '--method', 'ml']
    const memory = await runJson('fit', file, ...flags)
    expect(memory.features).toEqual(['x', 'kind=b', 'kind=rare'])
    expect(memory.dropped.missing).toBe(Math.ceil(N / 9))
    for (const name of ['mostly_empty', 'mostly_empty_three']) {
      const address = addressOf(cluster().nodes[0]!, name)
      const got = await runJson('fit', address, ...flags)
      expect([got.features, got.dropped]).toEqual([memory.features, memory.dropped])
      expect(got.params.coefficients['kind=rare']).toBeCloseTo(memory.params.coefficients['kind=rare'], 8)
      const { remarks } = await run('fit', address, ...flags)
      expect(remarks).toEqual((await run('fit', file, ...flags)).remarks)
    }
  })
}
