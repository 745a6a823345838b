import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emulatedCard } from '../../../nn/src/testing/emulated-card.js'
import { writeMnist } from '../../../vision/src/data/testing.js'
import { run, testFolder } from '../testing/run.js'

const card = emulatedCard()
const folder = testFolder()
const at = (name: string): string => join(folder.path, name)

beforeAll(() => {
  if (card === undefined) return
  process.env.RLVI_CUDA_LIBRARIES = card
  process.env.RLVI_CACHE = join(card, 'cache')
  mkdirSync(at('mnist'))
  writeMnist(at('mnist'), 40, 10)
})
afterAll(() => {
  delete process.env.RLVI_CUDA_LIBRARIES
  delete process.env.RLVI_CACHE
  if (card !== undefined) rmSync(card, { recursive: true })
})

const onCard = ['--executor', 'cuda', '--precision', 'fp32']
async function done(...argv: string[]): Promise<string> {
  const { status, out, remarks } = await run(...argv)
  expect(remarks.join('\n')).not.toMatch(/must succeed/)
  expect(status).toBe(0)
  return out
}
/** Of a table, all but what time takes. */
const numbers = (name: string): string[] => folder.lines(name).map((cells) => cells.slice(0, -1).join())
/** What the same network makes of the same images: to all digits but those that are rounded. */
function expectAlike(ours: readonly string[], theirs: readonly string[]): void {
  expect(ours.length).toBe(theirs.length)
  for (const [line, text] of ours.entries())
    for (const [k, value] of text.split(',').entries()) {
      const other = theirs[line]!.split(',')[k]!
      if (value === '' || Number.isNaN(Number(value))) expect(value).toBe(other)
      else expect(Number(value)).toBeCloseTo(Number(other), 3)
    }
}

describe.skipIf(card === undefined)('on an NVIDIA card, which the processor plays,', () => {
  it('devices finds it', async () => {
    expect(await done('devices')).toMatch(/^cuda 0: emulated card.*\nready: --executor cuda\n$/s)
  })

  it('train learns what it learns on the processor, and goes on from a checkpoint of either', async () => {
    const train = ['train', at('mnist'), '--noise', 'pairflip', '--rate', '0.3', '--method', 'rlvi']
    await done(...train, '--epochs', '3', '--log', at('whole.csv'))
    await done(...train, '--epochs', '3', '--log', at('card.csv'), ...onCard)
    expectAlike(numbers('card.csv'), numbers('whole.csv'))

    const kept = ['--checkpoint', at('run')]
    await done(...train, '--epochs', '1', ...kept, ...onCard)
    await done(...train, '--epochs', '2', ...kept, '--resume')
    await done(...train, '--epochs', '3', ...kept, '--resume', ...onCard, '--log', at('parts.csv'))
    expectAlike(numbers('parts.csv'), numbers('whole.csv'))
  })

  it('audit gives every label the probability that it has on the processor', async () => {
    const audit = ['audit', at('mnist'), '--epochs', '2', '--network', 'lenet']
    await done(...audit, '--rows', at('audit.csv'))
    await done(...audit, '--rows', at('audit-card.csv'), ...onCard)
    const byRow = (name: string): string[] => folder.lines(name).map(String).sort()
    expectAlike(byRow('audit-card.csv'), byRow('audit.csv'))
  })

  it('reproduce has the same cells, one by one and as one program', async () => {
    const only = ['--only', 'method=standard,method=coteaching,noise=symmetric,rate=0.45']
    const mnist = ['reproduce', 'mnist', '--full', '--data', at('mnist'), '--epochs', '2', '--runs', '2']
    await done(...mnist, ...only, ...onCard, '--out', at('alone'))
    await done(...mnist, ...only, ...onCard, '--out', at('together'), '--parallel', '16')
    const cells = readdirSync(at('alone/cells'))
    expect(cells).toHaveLength(4)
    for (const name of cells) {
      const [one, other] = ['alone', 'together'].map((out) => {
        const { epochs } = JSON.parse(readFileSync(at(`${out}/cells/${name}`), 'utf8'))
        return epochs.map(
          ({ train, validation, test }: Record<string, number>) => `${train},${validation},${test}`,
        )
      })
      expectAlike(other, one)
    }
  })
})
