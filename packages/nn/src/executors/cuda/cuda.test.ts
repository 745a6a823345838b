import { describe, expect, it } from 'vitest'
import { GraphBuilder } from '../../graph/builder.js'
import { mul } from '../../graph/values.js'
import { TestRandom } from '../../testing/random.js'
import { agreementLaws } from '../agreement.laws.js'
import type { Executor, StoredBatch } from '../executor.js'
import { executorLaws } from '../executor.laws.js'
import { goldenLaws } from '../golden.laws.js'
import { cudaExecutor } from './cuda.js'
import { cudaDevices } from './run/devices.js'

const { devices, libraries } = await cudaDevices()
const missing = libraries.find(({ problem }) => problem !== undefined)

// Where there is no card, or a library is missing, this is skipped, and the word for it is in the name.
describe.skipIf(devices.length === 0 || missing !== undefined)(
  `cuda executor${devices.length === 0 ? ' (no NVIDIA card here)' : missing ? ` (${missing.name} is missing)` : ''}`,
  () => {
    const exact = cudaExecutor({ precision: 'fp32' })
    describe('fp32', () => {
      goldenLaws(() => exact, { once: 1e-5, later: 1e-4 })
      executorLaws(() => exact)
      agreementLaws(() => exact, 1e-4, 40)
    })
    storedLaws(exact)
    const tf32 = cudaExecutor({ precision: 'tf32' })
    describe('tf32', () => {
      executorLaws(() => tf32)
      agreementLaws(() => tf32, 2e-2, 10)
    })
    const bf16 = cudaExecutor({ precision: 'bf16' })
    describe('bf16', () => {
      executorLaws(() => bf16)
    })
  },
)

it('says what is missing instead of failing', () => {
  for (const { problem } of libraries)
    if (problem !== undefined && !problem.includes('; ')) throw new Error(problem)
})

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
    const stored = await program.runStored!(steps)
    const plain = await program.runMany(steps.map(({ x, feeds }) => ({ x: valuesOf(x), ...feeds })))
    expect(stored).toEqual(plain)
    await program.dispose()
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
