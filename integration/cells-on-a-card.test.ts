import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { emulatedCard } from '../packages/nn/src/testing/emulated-card.js'
import { writeMnist } from '../packages/vision/src/data/testing.js'

const card = emulatedCard()
afterAll(() => {
  if (card !== undefined) rmSync(card, { recursive: true })
})

/** The accuracies of cells that some threads have run, each with so many networks as one program. */
function accuracies(parallel: string, ...cells: string[]): Record<string, number[]> {
  const out = join(card!, parallel)
  const program = fileURLToPath(new URL('../bench/dist/gpu/cells.js', import.meta.url))
  const given = [join(card!, 'mnist'), out, parallel, 'fp32', '2', 'mnist', ...cells]
  const env = { ...process.env, RLVI_CUDA_LIBRARIES: card, RLVI_CACHE: join(card!, 'cache') }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...given], {
    env,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout).not.toContain('FAILED')
  expect(status).toBe(0)
  const files = readdirSync(join(out, 'cells')).sort()
  return Object.fromEntries(
    files.map((file) => {
      const { epochs } = JSON.parse(readFileSync(join(out, 'cells', file), 'utf8'))
      return [file, epochs.flatMap(({ train, test }: Record<string, number>) => [train, test])]
    }),
  )
}

it.skipIf(card === undefined)(
  'cells come out the same, however many threads and networks share a card',
  () => {
    mkdirSync(join(card!, 'mnist'))
    writeMnist(join(card!, 'mnist'), 60, 20)
    const cells = [0, 1, 2, 3].map((seed) => `symmetric:0.45:standard:${seed}`)
    const expected = accuracies('1', ...cells)
    expect(Object.keys(expected)).toHaveLength(4)
    for (const parallel of ['2', '2x2']) {
      const got = accuracies(parallel, ...cells)
      expect(Object.keys(got)).toEqual(Object.keys(expected))
      for (const [file, values] of Object.entries(got))
        for (const [k, value] of values.entries()) expect(value).toBeCloseTo(expected[file][k], 6)
    }
  },
)
