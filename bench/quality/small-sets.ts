import { matrix, type Supervised } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import type { NamedSet } from './real-sets.js'

/** Small generated regression sets of all sorts, for the laws that must hold on any data. */

export const SMALL_KINDS = ['clean', 'leverage', 'shifted', 'uniform', 'heavy', 'rounded', 'tied'] as const
export type SmallKind = (typeof SMALL_KINDS)[number]

export interface SmallSize {
  readonly rows: readonly [number, number]
  readonly columns: readonly [number, number]
}

/** Set number `run`: the kinds take turns, sizes and shares are drawn. */
export function smallSet(
  seed: number,
  run: number,
  { rows, columns }: SmallSize,
  kinds: readonly SmallKind[] = SMALL_KINDS,
): NamedSet {
  const random = draws(seed, 'small-sets', run)
  const kind = kinds[run % kinds.length]
  // At least three rows for each coefficient: fewer is a matter of few-rows.ts.
  const p = whole(random, columns)
  const n = Math.max(whole(random, rows), 3 * (p + 1))
  return {
    name: `${kind} ${n} x ${p} (${run})`,
    data: drawn(kind, n, p, random.uniform(0.05, 0.25), random),
  }
}

function whole(random: Draws, [low, high]: readonly [number, number]): number {
  return Math.floor(random.uniform(low, high + 1))
}

/** y = 1 + sum of x + N(0, 1), and bad rows first. */
function drawn(kind: SmallKind, n: number, p: number, share: number, random: Draws): Supervised {
  const x = matrix(n, p)
  const y = new Float64Array(n)
  const outliers = kind !== 'clean' && kind !== 'heavy'
  const bad = outliers ? Math.round(share * n) : 0
  for (let i = 0; i < n; i++) {
    const row = Float64Array.from({ length: p }, () => random.normal())
    const noise = kind === 'heavy' ? random.studentT(2.5) : random.normal()
    y[i] = 1 + row.reduce((a, b) => a + b, 0) + noise
    if (i < bad && kind === 'leverage') {
      row[0] = 10 + 0.5 * random.normal()
      y[i] = random.normal()
    } else if (i < bad && kind === 'uniform') y[i] += random.uniform(-20, 20)
    else if (i < bad) y[i] += 10
    if (kind === 'rounded') y[i] = Math.round(2 * y[i]) / 2
    // Half of the good rows have a noise of a few values only.
    if (kind === 'tied' && i >= bad && i % 2 === 0) {
      y[i] = 1 + row.reduce((a, b) => a + b, 0) + Math.round(noise)
    }
    x.values.set(row, i * p)
  }
  return { x, y }
}
