import { type Bidiagonal, bidiagonalise } from './bidiagonal.js'
import { rotation, smallerValue, twoByTwo, withSign } from './rotations.js'

const EPS = 2 ** -53
const TOLERANCE = Math.max(10, Math.min(100, EPS ** -0.125)) * EPS

/**
 * V' of A = U S V', row by row, with the signs that LAPACK's dgesdd (numpy.linalg.svd) gives it: they are arbitrary, but
 * the released SEVER's direction is made of them. Follows dgebd2 and dbdsqr step by step, as dgesdd does for up to 25
 * columns, and leaves U out.
 */
export function rightSingularVectors(values: Float64Array, rows: number, cols: number): Float64Array {
  if (rows < cols || cols > 25) throw new Error(`rightSingularVectors: no rule for ${rows} x ${cols}`)
  const b = bidiagonalise(values, rows, cols)
  iterate(b, cols)
  const order = Array.from(b.diagonal.keys())
  order.sort((i, j) => Math.abs(b.diagonal[j] as number) - Math.abs(b.diagonal[i] as number))
  const out = new Float64Array(cols * cols)
  order.forEach((from, to) => {
    const sign = withSign(1, b.diagonal[from] as number)
    for (let j = 0; j < cols; j++) out[to * cols + j] = sign * (b.transposedP[from * cols + j] as number)
  })
  return out
}

/** dbdsqr: makes B diagonal by sweeps of rotations; those from the right are gathered in P'. */
function iterate(b: Bidiagonal, n: number): void {
  // Indexes are LAPACK's, from 1.
  const d = (i: number): number => b.diagonal[i - 1] as number
  const e = (i: number): number => b.above[i - 1] as number
  const setD = (i: number, value: number): void => {
    b.diagonal[i - 1] = value
  }
  const setE = (i: number, value: number): void => {
    b.above[i - 1] = value
  }
  /** Rotates the rows j and j + 1 of P'. */
  const turn = (j: number, c: number, s: number): void => {
    const p = b.transposedP
    for (let k = 0; k < n; k++) {
      const upper = p[(j - 1) * n + k] as number
      const lower = p[j * n + k] as number
      p[(j - 1) * n + k] = c * upper + s * lower
      p[j * n + k] = c * lower - s * upper
    }
  }

  let least = Math.abs(d(1))
  for (let i = 2, mu = least; i <= n && least > 0; i++) {
    mu = Math.abs(d(i)) * (mu / (mu + Math.abs(e(i - 1))))
    least = Math.min(least, mu)
  }
  const threshold = Math.max(TOLERANCE * (least / Math.sqrt(n)), 6 * n * n * 2 ** -1022)

  let m = n
  let oldFirst = -1
  let oldLast = -1
  let down = true
  for (let sweeps = 0; m > 1 && sweeps < 6 * n * n; ) {
    // The unreduced block ll..m at the end.
    let most = Math.abs(d(m))
    let ll = m - 1
    for (; ll >= 1 && Math.abs(e(ll)) > threshold; ll--) {
      most = Math.max(most, Math.abs(d(ll)), Math.abs(e(ll)))
    }
    if (ll >= 1) setE(ll, 0)
    if (ll === m - 1) {
      m--
      continue
    }
    ll++
    if (ll === m - 1) {
      const two = twoByTwo(d(ll), e(ll), d(m))
      setD(ll, two.larger)
      setE(ll, 0)
      setD(m, two.smaller)
      turn(ll, two.c, two.s)
      m -= 2
      continue
    }
    if (ll > oldLast || m < oldFirst) down = Math.abs(d(ll)) >= Math.abs(d(m))
    const smallest = split(down, ll, m)
    if (smallest === undefined) continue
    oldFirst = ll
    oldLast = m
    sweeps++
    const shift = shiftFor(down, ll, m, smallest / most)
    if (down) sweepDown(ll, m, shift)
    else sweepUp(ll, m, shift)
    const end = down ? m - 1 : ll
    if (Math.abs(e(end)) <= threshold) setE(end, 0)
  }

  /** Sets a negligible entry to 0 and says undefined, or bounds the smallest singular value. */
  function split(downwards: boolean, ll: number, last: number): number | undefined {
    const end = downwards ? last - 1 : ll
    if (Math.abs(e(end)) <= TOLERANCE * Math.abs(d(downwards ? last : ll))) {
      setE(end, 0)
      return undefined
    }
    let mu = Math.abs(d(downwards ? ll : last))
    let smallest = mu
    for (let k = 0; k < last - ll; k++) {
      const at = downwards ? ll + k : last - 1 - k
      if (Math.abs(e(at)) <= TOLERANCE * mu) {
        setE(at, 0)
        return undefined
      }
      mu = Math.abs(d(downwards ? at + 1 : at)) * (mu / (mu + Math.abs(e(at))))
      smallest = Math.min(smallest, mu)
    }
    return smallest
  }

  function shiftFor(downwards: boolean, ll: number, last: number, ratio: number): number {
    if (n * TOLERANCE * ratio <= Math.max(EPS, 0.01 * TOLERANCE)) return 0
    const corner = Math.abs(d(downwards ? ll : last))
    const from = downwards ? last - 1 : ll
    const shift = smallerValue(d(from), e(from), d(from + 1))
    return corner > 0 && (shift / corner) ** 2 < EPS ? 0 : shift
  }

  function sweepDown(ll: number, last: number, shift: number): void {
    if (shift === 0) {
      let [cs, oldCs, oldSn] = [1, 1, 0]
      for (let i = ll; i < last; i++) {
        const right = rotation(d(i) * cs, e(i))
        cs = right.c
        if (i > ll) setE(i - 1, oldSn * right.r)
        const left = rotation(oldCs * right.r, d(i + 1) * right.s)
        setD(i, left.r)
        oldCs = left.c
        oldSn = left.s
        turn(i, right.c, right.s)
      }
      const h = d(last) * cs
      setD(last, h * oldCs)
      setE(last - 1, h * oldSn)
      return
    }
    let f = (Math.abs(d(ll)) - shift) * (withSign(1, d(ll)) + shift / d(ll))
    let g = e(ll)
    for (let i = ll; i < last; i++) {
      const right = rotation(f, g)
      if (i > ll) setE(i - 1, right.r)
      f = right.c * d(i) + right.s * e(i)
      setE(i, right.c * e(i) - right.s * d(i))
      g = right.s * d(i + 1)
      setD(i + 1, right.c * d(i + 1))
      const left = rotation(f, g)
      setD(i, left.r)
      f = left.c * e(i) + left.s * d(i + 1)
      setD(i + 1, left.c * d(i + 1) - left.s * e(i))
      if (i < last - 1) {
        g = left.s * e(i + 1)
        setE(i + 1, left.c * e(i + 1))
      }
      turn(i, right.c, right.s)
    }
    setE(last - 1, f)
  }

  function sweepUp(ll: number, last: number, shift: number): void {
    if (shift === 0) {
      let [cs, oldCs, oldSn] = [1, 1, 0]
      for (let i = last; i > ll; i--) {
        const left = rotation(d(i) * cs, e(i - 1))
        cs = left.c
        if (i < last) setE(i, oldSn * left.r)
        const right = rotation(oldCs * left.r, d(i - 1) * left.s)
        setD(i, right.r)
        oldCs = right.c
        oldSn = right.s
        turn(i - 1, right.c, -right.s)
      }
      const h = d(ll) * cs
      setD(ll, h * oldCs)
      setE(ll, h * oldSn)
      return
    }
    let f = (Math.abs(d(last)) - shift) * (withSign(1, d(last)) + shift / d(last))
    let g = e(last - 1)
    for (let i = last; i > ll; i--) {
      const left = rotation(f, g)
      if (i < last) setE(i, left.r)
      f = left.c * d(i) + left.s * e(i - 1)
      setE(i - 1, left.c * e(i - 1) - left.s * d(i))
      g = left.s * d(i - 1)
      setD(i - 1, left.c * d(i - 1))
      const right = rotation(f, g)
      setD(i, right.r)
      f = right.c * e(i - 1) + right.s * d(i - 1)
      setD(i - 1, right.c * d(i - 1) - right.s * e(i - 1))
      if (i > ll + 1) {
        g = right.s * e(i - 2)
        setE(i - 2, right.c * e(i - 2))
      }
      turn(i - 1, right.c, -right.s)
    }
    setE(ll, f)
  }
}
