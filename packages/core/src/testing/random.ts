/** A small seeded source for tests: the multiply-with-carry generator of Marsaglia, and Gaussian numbers from it. */
export class TestRandom {
  private z: number
  private w: number

  constructor(seed: number) {
    this.z = (seed * 2654435761 + 362436069) >>> 0 || 1
    this.w = (seed * 40503 + 521288629) >>> 0 || 1
    for (let k = 0; k < 10; k++) this.uniform()
  }

  uniform(): number {
    this.z = (36969 * (this.z & 65535) + (this.z >>> 16)) >>> 0
    this.w = (18000 * (this.w & 65535) + (this.w >>> 16)) >>> 0
    return (((this.z << 16) + this.w) >>> 0) / 4294967296
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform())
  }

  below(n: number): number {
    return Math.floor(this.uniform() * n)
  }

  /** A random order of 0 .. n - 1. */
  order(n: number): Int32Array {
    const list = Int32Array.from({ length: n }, (_, i) => i)
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const other = list[j]
      list[j] = list[i]
      list[i] = other
    }
    return list
  }
}
