import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/**
 * Random numbers in [0, 1) that belong to a key, such as (seed, 'dropout', step). Different keys give independent
 * numbers, so what is drawn for one thing never depends on what was drawn before for another.
 */
export function seeded(...key: ReadonlyArray<string | number>): () => number {
  const generator = generatorOf(key)
  return () => uniformFloat64(generator)
}

/** The same in whole numbers of 32 random bits, several times as fast: for masks of millions of entries. */
export function seededBits(...key: ReadonlyArray<string | number>): () => number {
  const generator = generatorOf(key)
  return () => generator.next()
}

function generatorOf(key: ReadonlyArray<string | number>): ReturnType<typeof xoroshiro128plusFromState> {
  return xoroshiro128plusFromState(hashed(key.join('/')))
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
