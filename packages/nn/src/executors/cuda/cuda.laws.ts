import { describe, expect, it } from 'vitest'
import { GraphBuilder } from '../../graph/builder.js'
import { add, max, mul } from '../../graph/values.js'
import { weightedStep } from '../../models/graphs.js'
import { lenet } from '../../models/lenet.js'
import { sgd } from '../../optim/sgd.js'
import { TestRandom } from '../../testing/random.js'
import { agreementLaws } from '../agreement.laws.js'
import type { Executor, StoredBatch } from '../executor.js'
import { executorLaws } from '../executor.laws.js'
import { goldenLaws } from '../golden.laws.js'
import { referenceExecutor } from '../reference/reference.js'
import { type CudaOptions, cudaEnsemble, cudaExecutor } from './cuda.js'

/** What holds on every card, in each precision; on so many random graphs in fp32. */
export function cudaLaws(options: Pick<CudaOptions, 'libraries'>, graphs: number): void {
  const exact = cudaExecutor({ ...options, precision: 'fp32' })
  describe('fp32', () => {
    goldenLaws(() => exact, { once: 1e-5, later: 1e-4 })
    executorLaws(() => exact)
    agreementLaws(() => exact, 1e-4, graphs)
  })
  storedLaws(exact)
  ensembleLaws({ ...options, precision: 'fp32' }, 1e-4)
  ensembleLaws({ ...options, precision: 'bf16' }, 5e-2)
  const tf32 = cudaExecutor({ ...options, precision: 'tf32' })
  describe('tf32', () => {
    executorLaws(() => tf32)
    agreementLaws(() => tf32, 2e-2, Math.ceil(graphs / 4))
  })
  const bf16 = cudaExecutor({ ...options, precision: 'bf16' })
  describe('bf16', () => {
    executorLaws(() => bf16)
  })
}

/** Steps on stored images are the same as steps on their values. */
function storedLaws(executor: Executor): void {
  it('takes stored images as it takes their values, moved and flipped', async () => {
    const random = new TestRandom(3)
    const [n, c, h, w] = [5, 2, 6, 7]
    const images = {
      pixels: Uint8Array.from({ length: 9 * c * h * w }, () => random.whole(0, 255)),
      image: [c, h, w] as const,
      values: Float32Array.from(random.uniforms(c * 256, -2, 2)),
    }
    const g = new GraphBuilder()
    g.fetch('y', mul(g.feed('x', [n, c, h, w]), g.feed('factor', [])))
    const program = await executor.compile(g.build())
    const steps = Array.from({ length: 3 }, () => ({
      x: {
        images,
        samples: Int32Array.from({ length: n }, () => random.whole(0, 8)),
        moves: Int32Array.from({ length: 3 * n }, (_, i) =>
          i % 3 === 2 ? random.whole(0, 3) : random.whole(-3, 3),
        ),
      },
      feeds: { factor: random.uniform(1, 2) },
    }))
    // While the first call is under way; and what was handed out is not written over.
    const [stored, backwards] = await Promise.all([
      program.runStored!(steps),
      program.runStored!(steps.toReversed()),
    ])
    const plain = await program.runMany(steps.map(({ x, feeds }) => ({ x: valuesOf(x), ...feeds })))
    expect(stored).toEqual(plain)
    expect(backwards.toReversed()).toEqual(plain)
    await program.dispose()
  })

  it('does calls in their order while others are under way, those of many bytes in parts', async () => {
    const g = new GraphBuilder()
    const w = g.variable('w', [], 'state', { kind: 'fill', value: 1 })
    const [large, bit] = [2 ** 20, g.feed('bit', [])]
    g.fetch('before', add(w, 0))
    g.fetch('largest', max(g.feed('large', [large])))
    g.assign('w', add(mul(w, 2), bit))
    const program = await executor.compile(g.build())
    const bits = Array.from({ length: 20 }, (_, k) => (k % 3 === 0 ? 1 : 0))
    const feeds = bits.map((each, k) => ({ bit: each, large: new Float32Array(large).fill(k) }))
    // Of 4 MB a step 15 are held ready at a time.
    const calls = [feeds.slice(0, 17), feeds.slice(17, 18), feeds.slice(18)]
    const got = (await Promise.all(calls.map((steps) => program.runMany(steps)))).flat()
    const expected = bits.map((_, k) => bits.slice(0, k).reduce<number>((value, each) => 2 * value + each, 1))
    expect(got.map(({ before }) => before[0])).toEqual(expected)
    expect(got.map(({ largest }) => largest[0])).toEqual(bits.map((_, k) => k))
    await program.dispose()
    await program.variables.dispose()
  })
}

function valuesOf({ images, samples, moves }: StoredBatch): Float32Array {
  const [c, h, w] = images.image
  return Float32Array.from({ length: samples.length * c * h * w }, (_, p) => {
    const [s, channel, i, j] = [
      Math.floor(p / (c * h * w)),
      Math.floor(p / (h * w)) % c,
      Math.floor(p / w) % h,
      p % w,
    ]
    const [down, right, flips] = moves!.subarray(3 * s, 3 * s + 3)
    const a = (flips & 2 ? h - 1 - i : i) + down
    const b = (flips & 1 ? w - 1 - j : j) + right
    const isInside = a >= 0 && a < h && b >= 0 && b < w
    const byte = isInside ? images.pixels[((samples[s] * c + channel) * h + a) * w + b] : 0
    return images.values[channel * 256 + byte]
  })
}

/** Networks that are trained as one program learn what each of them learns by the reference. */
function ensembleLaws(options: CudaOptions, tolerance: number): void {
  it(`trains three networks as one, ${options.precision}`, async () => {
    const random = new TestRandom(5)
    const [batch, count] = [4, 3]
    const images = {
      pixels: Uint8Array.from({ length: 20 * 784 }, () => random.whole(0, 255)),
      image: [1, 28, 28] as const,
      values: Float32Array.from({ length: 256 }, (_, byte) => byte / 255 - 0.5),
    }
    const members = cudaEnsemble(count, options)
    const graphs = members.map((_, seed) =>
      weightedStep(lenet(), { batch, seed, optimizer: sgd({ momentum: 0.9, weightDecay: 1e-3 }) }),
    )
    const steps = graphs.map(() =>
      Array.from({ length: 3 }, () => ({
        x: { images, samples: Int32Array.from({ length: batch }, () => random.whole(0, 19)) },
        feeds: {
          y: Int32Array.from({ length: batch }, () => random.whole(0, 9)),
          w: Float32Array.from(random.uniforms(batch, 0, 0.5)),
          rate: 0.05,
        },
      })),
    )
    const programs = await Promise.all(members.map((member, i) => member.compile(graphs[i])))
    // Some members are a call ahead of others.
    const got = await Promise.all(
      programs.map(async (program, i) =>
        (
          await Promise.all([program.runStored!(steps[i].slice(0, 2)), program.runStored!(steps[i].slice(2))])
        ).flat(),
      ),
    )
    for (const [i, graph] of graphs.entries()) {
      const reference = await referenceExecutor().compile(graph)
      const still = { moves: new Int32Array(3 * batch) }
      const expected = await reference.runMany(
        steps[i].map(({ x, feeds }) => ({ x: valuesOf({ ...x, ...still }), ...feeds })),
      )
      expected.forEach(({ losses, logits }, step) => {
        expect(relative(got[i][step].losses, losses), `losses of ${i} in step ${step}`).toBeLessThan(
          tolerance,
        )
        expect(relative(got[i][step].logits, logits), `logits of ${i} in step ${step}`).toBeLessThan(
          tolerance,
        )
      })
      if (options.precision !== 'fp32') continue
      for (const { name } of graph.variables) {
        const [ours, theirs] = [await programs[i].variables.read(name), await reference.variables.read(name)]
        expect(relative(ours, theirs), `${name} of ${i}`).toBeLessThan(tolerance)
      }
    }
    for (const program of programs) {
      await program.dispose()
      await program.variables.dispose()
    }
  })
}

/** |a - b| / |b|. */
function relative(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [apart, size] = [0, 0]
  for (let i = 0; i < b.length; i++) {
    apart += (a[i] - b[i]) ** 2
    size += b[i] ** 2
  }
  return Math.sqrt(apart / Math.max(size, 1e-30))
}
