import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Executor, type Program, referenceExecutor } from '@rlvi/nn'
import { describe, expect, it } from 'vitest'
import { testFolder, writeMnist } from '../../../vision/src/data/testing.js'
import { networkExperiments } from './experiments.js'
import { runNetworkExperiment } from './reproduce.js'

const folder = writeMnist(testFolder(), 20, 10)

/** The first training that it runs has losses that are no numbers. */
function failingOnce(): Executor {
  const inner = referenceExecutor()
  let trainings = 0
  return {
    ...inner,
    variables() {
      trainings++
      return inner.variables()
    },
    async compile(graph, variables): Promise<Program> {
      const program = await inner.compile(graph, variables)
      if (trainings > 1) return program
      const spoil: Program['runMany'] = async (steps) =>
        (await program.runMany(steps)).map((fetches) => ({
          ...fetches,
          losses: fetches.losses?.map(() => Number.NaN),
        }))
      return { ...program, graph: program.graph, variables: program.variables, runMany: spoil }
    },
  }
}

describe('LeNets as an ensemble', () => {
  const options = {
    full: false,
    only: ['noise=pairflip', 'method=standard,method=rlvi'],
    epochs: 1,
    runs: 3,
    seed: 0,
  }
  const experiment = networkExperiments.get('mnist')!

  it('are trained by method, some at a time, to what each comes to alone', async () => {
    const groups: number[] = []
    let left = 0
    const ensemble = (members: number) => {
      groups.push(members)
      return Array.from({ length: members }, () => ({ ...referenceExecutor(), leave: () => void left++ }))
    }
    const together = await runNetworkExperiment(experiment, {
      ...options,
      data: folder,
      parallel: 2,
      ensemble,
    })
    expect([groups, left]).toEqual([[2, 1, 2, 1], 6])
    const alone = await runNetworkExperiment(experiment, {
      ...options,
      data: folder,
      executor: referenceExecutor(),
    })
    const numbers = (records: typeof alone.records) =>
      records.map(({ method, seed, accuracy }) => [method, seed, accuracy])
    expect(numbers(together.records)).toEqual(numbers(alone.records))
  })

  it('are several programs at a time where there are many, and no other is begun after a failure', async () => {
    const leftBefore: number[] = []
    let left = 0
    const ensemble = (members: number) => {
      leftBefore.push(left)
      return Array.from({ length: members }, () => ({
        ...(leftBefore.length === 1 ? failingOnce() : referenceExecutor()),
        leave: () => void left++,
      }))
    }
    const only = ['noise=pairflip', 'method=standard,method=rlvi,method=bare']
    const work = runNetworkExperiment(experiment, { ...options, only, data: folder, parallel: 16, ensemble })
    await expect(work).rejects.toThrow(/losses must be finite numbers/)
    expect(leftBefore).toEqual([0, 0])
  })

  it('go on without one that diverges, which leaves', async () => {
    const failures: string[] = []
    const left: number[] = []
    const ensemble = (members: number) =>
      Array.from({ length: members }, (_, i) => ({
        ...(i === 0 ? failingOnce() : referenceExecutor()),
        leave: () => void left.push(i),
      }))
    const { records } = await runNetworkExperiment(experiment, {
      ...options,
      only: ['method=standard'],
      data: folder,
      parallel: 3,
      ensemble,
      onFailure: ({ seed }) => failures.push(`seed ${seed}`),
    })
    expect(failures).toEqual(['seed 0'])
    expect(records.map(({ seed }) => seed)).toEqual([1, 2])
    expect(left.sort()).toEqual([0, 1, 2])
  })
})

describe('a run that diverges', () => {
  const options = { full: false, only: [], epochs: 1, seed: 0, data: folder }

  it('leaves a gap in the table, and the others go on', async () => {
    const failures: string[] = []
    const { records, text } = await runNetworkExperiment(networkExperiments.get('mnist')!, {
      ...options,
      executor: failingOnce(),
      onFailure: ({ method }, { message }) => failures.push(`${method}: ${message}`),
    })
    expect(failures).toEqual([
      expect.stringMatching(/^standard: training: losses must be finite numbers, got NaN/),
    ])
    expect(records.map(({ method }) => method)).toEqual(['rlvi'])
    expect(text).toMatch(/Standard +0 +-/)
  })

  it('ends the work where nobody listens', async () => {
    const work = runNetworkExperiment(networkExperiments.get('mnist')!, {
      ...options,
      executor: failingOnce(),
    })
    await expect(work).rejects.toThrow(/losses must be finite numbers/)
  })
})

describe('cells that are there already', () => {
  it('are not those of other images, though there are as many', async () => {
    const out = join(testFolder(), 'out')
    const options = { full: false, only: [], epochs: 1, seed: 0, out, executor: referenceExecutor() }
    const experiment = networkExperiments.get('mnist')!
    const other = writeMnist(testFolder(), 20, 10)
    const pixels = join(other, 'train-images-idx3-ubyte')
    writeFileSync(
      pixels,
      readFileSync(pixels).map((byte, i) => (i < 16 ? byte : 255 - byte)),
    )
    await runNetworkExperiment(experiment, { ...options, data: folder })
    const cached: boolean[] = []
    const onCell = (_: unknown, __: number, ___: number, there: boolean): void => void cached.push(there)
    await runNetworkExperiment(experiment, { ...options, data: folder, onCell })
    expect(cached.every(Boolean)).toBe(true)
    await expect(runNetworkExperiment(experiment, { ...options, data: other })).rejects.toThrow(
      /a cell of the same images is needed, got one of others, as many; choose another `out`/,
    )
  })
})
