import { fitSource, fitTable, type MethodName } from '@rlvi/estimator'
import { draws } from 'rlvi/random'
import { describe, expect, test } from 'vitest'
import { read } from '../read.js'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'
import { withRowSource } from './row-source.js'

// Some numbers are signs for something else, or slips of the keyboard: 8e12 among numbers about 1. The digits of all others must not be
// lost beside them, in units, or in sums over blocks.

const folder = testFolder()
const FAR = 8e12

interface Where {
  readonly x?: (i: number) => boolean
  readonly y?: (i: number) => boolean
}

function fileOf(name: string, far: Where): string {
  const random = draws('test', 'far-out')
  const lines = Array.from({ length: 1200 }, (_, i) => {
    const [x, z] = [random.normal(), random.normal()]
    const y = 3 + 2 * x - z + 0.3 * random.normal()
    return [far.x?.(i) ? FAR : x, z, far.y?.(i) ? FAR : y].join(',')
  })
  return folder.file(name, `x,z,y\n${lines.join('\n')}\n`)
}

const cases: [string, Where][] = [
  ['one-x', { x: (i) => i === 700 }],
  ['a-tenth-of-x', { x: (i) => i % 10 === 3 }],
  ['one-y', { y: (i) => i === 700 }],
  ['both', { x: (i) => i % 20 === 7, y: (i) => i === 700 }],
]

describe.each(cases)('%s far out', (name, far) => {
  test.each(['calibrated', 'paper'] as const)('%s in blocks is what it is in memory', async (method) => {
    const { memory, blocks } = await both(fileOf(`${name}.csv`, far), method)
    expect(blocks.status.kind).toBe('converged')
    const sizes = Object.values(memory.coefficients).concat(memory.intercept, memory.scale)
    const got = Object.values(blocks.coefficients).concat(blocks.intercept, blocks.scale)
    // Where a search begins, the sample decides: the end of it is the same to what the fit calls small.
    const tolerance = method === 'paper' ? 1e-4 : 1e-2
    sizes.forEach((value, k) => {
      expect(Math.abs(got[k]! - value), `number ${k}`).toBeLessThanOrEqual(tolerance * Math.abs(value))
    })
    // The good rows' line, as it was drawn.
    if (method === 'calibrated') expect(blocks.coefficients.x).toBeCloseTo(2, 1)
  })
})

async function both(path: string, method: MethodName) {
  const options = { target: 'y', features: ['x', 'z'], method }
  return await withTable(path, {}, async (table) => {
    const { params } = fitTable(await read(table, options), options)
    const found = await withRowSource(table, { ...options, sampleRows: 600 }, (source) =>
      fitSource(source, options),
    )
    return { memory: params as Linear, blocks: { ...(found.params as Linear), status: found.status } }
  })
}

interface Linear {
  readonly intercept: number
  readonly coefficients: Record<string, number>
  readonly scale: number
}

test.each([
  ['logistic', (eta: number) => (eta > 0 ? 'yes' : 'no')],
  ['softmax', (eta: number) => (eta > 1 ? 'high' : eta > -1 ? 'middle' : 'low')],
] as const)('%s: a ridge is in units of all rows, where columns have long tails', async (model, label) => {
  const random = draws('test', 'long tails')
  const lines = Array.from({ length: 1500 }, () => {
    const [x, z] = [Math.sinh(1.8 * random.normal()), Math.exp(1.5 * random.normal())]
    return [x, z, label(x - z / 4 + 2 * random.normal())].join(',')
  })
  const path = folder.file(`${model}.csv`, `x,z,y\n${lines.join('\n')}\n`)
  const options = { target: 'y', features: ['x', 'z'], model, method: 'ml' } as const
  await withTable(path, {}, async (table) => {
    const memory = numbersOf(fitTable(await read(table, options), options).params)
    const found = await withRowSource(table, { ...options, sampleRows: 40 }, (source) =>
      fitSource(source, options),
    )
    const size = Math.hypot(...memory)
    numbersOf(found.params).forEach((value, k) => {
      expect(Math.abs(value - memory[k]!), `number ${k}`).toBeLessThan(1e-8 * size)
    })
  })
})

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersOf) : []
}
