/** Seeded random numbers for benchmark data: fast and plain (mulberry32), not for statistics. */
export interface Random {
  /** In (0, 1). */
  uniform(): number
  normal(): number
  /** Student's t with nu degrees of freedom. */
  student(nu: number): number
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  /** Marsaglia and Tsang's method, for a shape of at least 1. */
  const gamma = (shape: number): number => {
    const d = shape - 1 / 3
    for (;;) {
      const z = normal()
      const v = (1 + z / Math.sqrt(9 * d)) ** 3
      if (v > 0 && Math.log(uniform()) < 0.5 * z * z + d - d * v + d * Math.log(v)) return d * v
    }
  }
  return { uniform, normal, student: (nu) => normal() / Math.sqrt((2 * gamma(nu / 2)) / nu) }
}
