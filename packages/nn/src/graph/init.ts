import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import { type Shape, sizeOf } from './graph.js'

/** How a resident starts: data rather than numbers, so that a graph stays small until it is run. */
export type Init =
  | { readonly kind: 'fill'; readonly value: number }
  /** Uniform on [-bound, bound]; the numbers depend on the seed and the key only, not on what else is in the graph. */
  | { readonly kind: 'uniform'; readonly bound: number; readonly seed: number; readonly key: string }
  | { readonly kind: 'values'; readonly values: ArrayLike<number> }

/** The numbers that a resident starts with. */
export function initialValues(init: Init, shape: Shape): Float32Array {
  const out = new Float32Array(sizeOf(shape))
  switch (init.kind) {
    case 'fill':
      return out.fill(init.value)
    case 'values':
      out.set(init.values)
      return out
    case 'uniform': {
      const generator = xoroshiro128plusFromState(hashed(`${init.seed}/${init.key}`))
      for (let i = 0; i < out.length; i++) out[i] = init.bound * (2 * uniformFloat64(generator) - 1)
      return out
    }
  }
}

/** 128 well-mixed bits of a text: four passes of MurmurHash3 (32 bits), each from its own start. */
function hashed(text: string): number[] {
  const words = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667].map((start) => murmur(text, start))
  // The one state that the generator cannot leave.
  return words.every((word) => word === 0) ? [1, 0, 0, 0] : words
}

function murmur(text: string, start: number): number {
  let h = start
  for (let i = 0; i < text.length; i++) {
    let k = Math.imul(text.charCodeAt(i), 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  h ^= text.length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
