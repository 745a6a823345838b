/** |value| with the sign of `sign`. */
export function withSign(value: number, sign: number): number {
  return Math.abs(value) * (sign < 0 || Object.is(sign, -0) ? -1 : 1)
}

export interface Rotation {
  readonly c: number
  readonly s: number
  readonly r: number
}

/** dlartg: the rotation that takes (f, g) to (r, 0), r of f's sign. */
export function rotation(f: number, g: number): Rotation {
  if (g === 0) return { c: 1, s: 0, r: f }
  if (f === 0) return { c: 0, s: withSign(1, g), r: Math.abs(g) }
  const r = withSign(Math.hypot(f, g), f)
  return { c: Math.abs(f / r), s: g / r, r }
}

/** dlas2: the smaller singular value of [f g; 0 h]. */
export function smallerValue(f: number, g: number, h: number): number {
  const low = Math.min(Math.abs(f), Math.abs(h))
  const high = Math.max(Math.abs(f), Math.abs(h))
  const ga = Math.abs(g)
  if (low === 0) return 0
  const as = 1 + low / high
  const at = (high - low) / high
  if (ga < high) {
    const au = (ga / high) ** 2
    return low * (2 / (Math.sqrt(as * as + au) + Math.sqrt(at * at + au)))
  }
  const au = high / ga
  if (au === 0) return (low * high) / ga
  return low * (1 / (Math.sqrt(1 + (as * au) ** 2) + Math.sqrt(1 + (at * au) ** 2))) * au * 2
}

export interface TwoByTwo {
  readonly larger: number
  readonly smaller: number
  /** Cosine and sine of the right rotation. */
  readonly c: number
  readonly s: number
}

/** dlasv2: the singular values, with signs, and the right rotation of [f g; 0 h]. */
export function twoByTwo(f: number, g: number, h: number): TwoByTwo {
  const swap = Math.abs(h) > Math.abs(f)
  const [ft, ht] = swap ? [h, f] : [f, h]
  const fa = Math.abs(ft)
  const ha = Math.abs(ht)
  const ga = Math.abs(g)
  let larger = fa
  let smaller = ha
  let [clt, slt, crt, srt] = [1, 0, 1, 0]
  let most = swap ? 'h' : 'f'
  if (ga > 0) {
    if (ga > fa) most = 'g'
    if (ga > fa && fa / ga < 2 ** -53) {
      larger = ga
      smaller = ha > 1 ? fa / (ga / ha) : (fa / ga) * ha
      ;[clt, slt, crt, srt] = [1, ht / g, ft / g, 1]
    } else {
      const d = fa - ha
      const l = d === fa ? 1 : d / fa
      const m = g / ft
      const s = Math.sqrt((2 - l) ** 2 + m * m)
      const r = l === 0 ? Math.abs(m) : Math.sqrt(l * l + m * m)
      const a = 0.5 * (s + r)
      smaller = ha / a
      larger = fa * a
      let t = (m / (s + (2 - l)) + m / (r + l)) * (1 + a)
      if (m * m === 0) t = l === 0 ? withSign(2, ft) * withSign(1, g) : g / withSign(d, ft) + m / (2 - l)
      const size = Math.sqrt(t * t + 4)
      crt = 2 / size
      srt = t / size
      clt = (crt + srt * m) / a
      slt = ((ht / ft) * srt) / a
    }
  }
  const [csl, snl, csr, snr] = swap ? [srt, crt, slt, clt] : [clt, slt, crt, srt]
  let sign = withSign(1, csr) * withSign(1, csl) * withSign(1, f)
  if (most === 'g') sign = withSign(1, snr) * withSign(1, csl) * withSign(1, g)
  if (most === 'h') sign = withSign(1, snr) * withSign(1, snl) * withSign(1, h)
  return {
    larger: withSign(larger, sign),
    smaller: withSign(smaller, sign * withSign(1, f) * withSign(1, h)),
    c: csr,
    s: snr,
  }
}
