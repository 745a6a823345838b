import { describe, expect, it } from 'vitest'
import type { Graph } from '../../../graph/graph.js'
import { weightedStep } from '../../../models/graphs.js'
import { lenet } from '../../../models/lenet.js'
import { adam } from '../../../optim/adam.js'
import { sgd } from '../../../optim/sgd.js'
import { miniResNet } from '../../../testing/mini-resnet.js'
import { randomGraph } from '../../../testing/random-graph.js'
import { loadKoffi } from '../driver/library.js'
import { type Compiler, openCompiler } from '../driver/nvrtc.js'
import { type Precision, rows } from '../plan/layout.js'
import { planGraph } from '../plan/plan.js'
import { plainCall } from '../run/actions.js'
import { nameOf, sourceOf } from '../run/kernels.js'
import { imagesSource } from './images.js'
import { forMembers, type KernelCall } from './kernel.js'
import { prelude } from './prelude.js'
import { ENTRY_BYTES, tableBytes, tableSource } from './tables.js'
import { literal, offsetOf, unravel } from './text.js'

function callsOf(graph: Graph, precision: Precision): readonly KernelCall[] {
  return planGraph(graph, precision).launches.flatMap((launch) => plainCall(launch) ?? [])
}

function textsOf(graph: Graph, precision: Precision): readonly string[] {
  return callsOf(graph, precision).map(({ text }) => text)
}

describe('C code', () => {
  it('writes numbers so that float32 keeps them', () => {
    expect([1, 0.1, -2, 1e-8, 3e10, -0].map(literal)).toEqual([
      '1.f',
      '0.10000000149011612f',
      '(-2.f)',
      '9.99999993922529e-9f',
      '30000001024.f',
      '(-0.f)',
    ])
    expect([Number.NaN, Number.POSITIVE_INFINITY].map(literal)).toEqual([
      'nan_()',
      '__int_as_float(0x7f800000)',
    ])
  })

  it('takes a place apart into the index that it is made of', () => {
    const shape = [3, 1, 4, 5]
    const { strides } = rows(shape)
    for (let p = 0; p < 60; p++) {
      const index = unravel(shape, String(p)).map((text) => {
        if (text === '0') return 0
        const [, divided = '1'] = /\/ (\d+)/.exec(text) ?? []
        const [, length] = /% (\d+)/.exec(text) ?? []
        const quotient = Math.floor(p / Number(divided))
        return length === undefined ? quotient : quotient % Number(length)
      })
      expect(index.every((i, axis) => i < shape[axis])).toBe(true)
      expect(index.reduce((sum, i, axis) => sum + i * strides[axis], 0)).toBe(p)
    }
    expect(offsetOf(rows(shape), ['a', '0', 'b', 'c'])).toBe('(a * 20 + b * 5 + c)')
  })

  it('is the same text for the same work, so that it is compiled once', () => {
    const texts = textsOf(weightedStep(miniResNet(), { batch: 4, optimizer: sgd() }), 'bf16')
    expect(new Set(texts).size).toBeLessThan(texts.length)
    expect(new Set(texts.map(nameOf)).size).toBe(new Set(texts).size)
  })
})

describe('tables', () => {
  it('have 1 - beta of Adam with all its digits', () => {
    const plan = planGraph(weightedStep(lenet(), { batch: 2, optimizer: adam({ beta2: 0.999 }) }), 'fp32')
    const rows = plan.launches.flatMap((launch) =>
      launch.kind === 'table' && launch.table === 'adam' ? launch.rows : [],
    )
    const { table } = tableBytes(rows.map(({ sizes, reals = [] }) => ({ addresses: [], sizes, reals })))
    // A float32 of 0.999 is off by 1.3e-8, which is 1.3e-5 of 0.001.
    expect([table.readFloatLE(96), table.readFloatLE(100)]).toEqual([0.1, 0.001].map(Math.fround))
  })

  it('say for each block which row it works on, and from where', () => {
    const { table, pieces, blocks } = tableBytes([
      { addresses: [4096], sizes: [5000, 0, 1, 1, 0, 0], reals: [0.5] },
      { addresses: [1, 2, 3], sizes: [10, 2, 3, 9, 8, 0] },
    ])
    expect([...new Int32Array(pieces.buffer, pieces.byteOffset, 6)]).toEqual([0, 0, 0, 4096, 1, 0])
    expect(blocks).toBe(3)
    expect(table.length).toBe(2 * ENTRY_BYTES)
    expect([table.readBigUInt64LE(0), table.readInt32LE(56), table.readFloatLE(80)]).toEqual([
      4096n,
      5000,
      0.5,
    ])
    expect(table.readInt32LE(ENTRY_BYTES + 60)).toBe(2)
  })
})

const koffi = await loadKoffi()

function compilerHere(): Compiler | undefined {
  try {
    return openCompiler(koffi, [])
  } catch {
    return undefined
  }
}

const compiler = compilerHere()

// Where NVIDIA's run-time compiler is installed, without a card, what is written must at least compile.
describe.skipIf(compiler === undefined)('generated kernels', () => {
  it.each(['sm_75', 'sm_80', 'sm_90'])('compile for %s', (architecture) => {
    const texts = [
      ...textsOf(weightedStep(lenet(), { batch: 8, optimizer: adam() }), 'fp32'),
      ...textsOf(weightedStep(miniResNet(0.2), { batch: 4, optimizer: sgd() }), 'bf16'),
      ...[1, 2, 3, 4, 5, 6].flatMap((seed) =>
        textsOf(randomGraph(seed).graph, seed % 2 === 0 ? 'bf16' : 'fp32'),
      ),
      imagesSource(4, [3, 5, 6]),
      forMembers(imagesSource(4, [3, 5, 6]), [
        ['rows', 64],
        ['x', 4096],
      ]),
      ...callsOf(weightedStep(lenet(), { batch: 4, optimizer: sgd() }), 'bf16').map(({ text, slots }) =>
        forMembers(
          text,
          slots.map((_, i) => [`p${i}`, 64 * i]),
        ),
      ),
    ]
    // An ELF file: machine code, not the compiler's intermediate language.
    for (const source of [sourceOf([...new Set(texts)]), `${prelude}${tableSource}`])
      expect(Array.from(compiler!.compile(source, architecture).subarray(0, 4))).toEqual([
        0x7f, 0x45, 0x4c, 0x46,
      ])
  })

  it('are refused with the words of the compiler where they are none', () => {
    expect(() => compiler!.compile('__global__ void k() { no such thing }', 'sm_90')).toThrow(
      /kernels must compile.*identifier "no" is undefined/s,
    )
  })
})
