import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bytesOf, channelsLast, channelsOf, type Layout, rows } from './layout.js'

const lengths = fc.tuple(...[1, 2, 3, 4].map(() => fc.integer({ min: 1, max: 9 })))

function places({ shape, strides }: Layout): number[] {
  const out: number[] = []
  const visit = (axis: number, at: number): void => {
    if (axis === shape.length) out.push(at)
    else for (let i = 0; i < shape[axis]; i++) visit(axis + 1, at + i * strides[axis])
  }
  visit(0, 0)
  return out
}

it('gives every entry a place of its own inside the memory', () => {
  const layouts = fc.oneof(
    lengths.map((shape) => rows(shape)),
    lengths.map((shape) => channelsLast(shape, 'bf16')),
    lengths.map((shape) => channelsLast(shape, 'f32', { filters: true })),
  )
  fc.assert(
    fc.property(layouts, (layout) => {
      const found = places(layout)
      expect(new Set(found).size).toBe(found.length)
      expect(Math.max(...found)).toBeLessThan(layout.entries)
    }),
  )
})

it('keeps channels side by side, in groups of 16 bytes', () => {
  const layout = channelsLast([2, 3, 5, 4], 'bf16')
  expect(layout.strides).toEqual([160, 1, 32, 8])
  expect(channelsOf(layout)).toBe(8)
  expect(bytesOf(layout)).toBe(2 * 5 * 4 * 8 * 2)
  expect(channelsLast([6, 1, 5, 5], 'f32', { filters: true }).entries).toBe(8 * 25 * 4)
})
