import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes } from '../testing.js'
import { cropAndFlip, type Draw, drawAugmentation, rotate, type Shape } from './augment.js'

const still: Draw = { left: 0, top: 0, horizontal: false, vertical: false, angles: [] }
const anyShape = fc.record({
  channels: fc.constantFrom(1, 3),
  height: fc.integer({ min: 1, max: 7 }),
  width: fc.integer({ min: 1, max: 7 }),
})

function sizeOf({ channels, height, width }: Shape): number {
  return channels * height * width
}

describe('crop and flip', () => {
  it('is padding, then a window, then flips, pixel by pixel', () => {
    fc.assert(
      fc.property(
        anyShape,
        fc.nat(4),
        fc.nat(8),
        fc.nat(8),
        fc.boolean(),
        fc.boolean(),
        (shape, padding, l, t, h, v) => {
          const { channels, height, width } = shape
          const [left, top] = [l % (2 * padding + 1), t % (2 * padding + 1)]
          const pixels = bytes(10 + sizeOf(shape), 'crop')
          const out = new Uint8Array(sizeOf(shape)).fill(77)
          cropAndFlip(pixels, 10, shape, padding, { ...still, left, top, horizontal: h, vertical: v }, out)
          const padded = (c: number, y: number, x: number) => {
            const [sy, sx] = [y - padding, x - padding]
            return sy < 0 || sx < 0 || sy >= height || sx >= width
              ? 0
              : pixels[10 + (c * height + sy) * width + sx]
          }
          for (let c = 0; c < channels; c++)
            for (let y = 0; y < height; y++)
              for (let x = 0; x < width; x++) {
                const expected = padded(c, (v ? height - 1 - y : y) + top, (h ? width - 1 - x : x) + left)
                if (out[(c * height + y) * width + x] !== expected) return false
              }
          return true
        },
      ),
    )
  })
})

describe('rotate', () => {
  const turn = (pixels: Uint8Array, shape: Shape, angle: number) => {
    const out = new Uint8Array(pixels.length).fill(77)
    rotate(pixels, shape, angle, out)
    return Array.from(out)
  }

  it('leaves the image at 0, and turns squares exactly by quarters', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 3), fc.integer({ min: 1, max: 8 }), (channels, side) => {
        const shape = { channels, height: side, width: side }
        const pixels = bytes(sizeOf(shape), 'turn', side)
        expect(turn(pixels, shape, 0)).toEqual(Array.from(pixels))
        const quarter = turn(pixels, shape, Math.PI / 2 - 1e-9)
        for (let c = 0; c < channels; c++)
          for (let y = 0; y < side; y++)
            for (let x = 0; x < side; x++)
              expect(quarter[(c * side + y) * side + x]).toBe(pixels[(c * side + side - 1 - x) * side + y])
      }),
    )
  })

  it('is black where the image does not reach, and keeps the middle', () => {
    const shape = { channels: 1, height: 9, width: 9 }
    const out = turn(new Uint8Array(81).fill(200), shape, Math.PI / 4)
    expect([out[0], out[8], out[72], out[80]]).toEqual([0, 0, 0, 0])
    expect(out[40]).toBe(200)
  })
})

describe('what is drawn', () => {
  const transform = {
    mean: [0],
    sd: [1],
    padding: 4,
    flips: ['horizontal', 'vertical'],
    rotations: [45, 45],
  } as const

  it('depends on seed, epoch and sample', () => {
    const draw = (...key: [number, number, number]) => drawAugmentation(transform, ...key)
    expect(draw(1, 2, 3)).toEqual(draw(1, 2, 3))
    const all = [draw(1, 2, 3), draw(0, 2, 3), draw(1, 3, 3), draw(1, 2, 4), draw(1, 23, 3)]
    expect(new Set(all.map(({ angles }) => angles[0])).size).toBe(5)
  })

  it('is uniform over the windows, the flips and the angles', () => {
    const n = 20_000
    const windows = new Float64Array(81)
    const flips = new Float64Array(4)
    let squares = 0
    for (let i = 0; i < n; i++) {
      const { left, top, horizontal, vertical, angles } = drawAugmentation(transform, 5, 1, i)
      windows[9 * top + left]++
      flips[Number(horizontal) + 2 * Number(vertical)]++
      squares += angles[0] ** 2
      expect(Math.max(...angles.map(Math.abs))).toBeLessThanOrEqual(Math.PI / 4)
    }
    const chi = (counts: Float64Array) =>
      counts.reduce((sum, count) => sum + (count - n / counts.length) ** 2 / (n / counts.length), 0)
    expect(chi(windows)).toBeLessThan(80 + 4 * Math.sqrt(160))
    expect(chi(flips)).toBeLessThan(3 + 4 * Math.sqrt(6))
    // Uniform on ±a: variance a²/3, of the squares a⁴ (1/5 - 1/9).
    const a = Math.PI / 4
    expect(Math.abs(squares / n - a ** 2 / 3)).toBeLessThan(4 * a ** 2 * Math.sqrt((1 / 5 - 1 / 9) / n))
  })

  it('does nothing that was not asked for', () => {
    for (let i = 0; i < 50; i++) expect(drawAugmentation({ mean: [0], sd: [1] }, 0, 0, i)).toEqual(still)
  })
})
