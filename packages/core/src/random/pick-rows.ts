import { seeded } from './seeded.js'

/** A source of row numbers below a bound, that belongs to a key such as ('sample', seed). */
export function rowPicker(...key: ReadonlyArray<string | number>): (below: number) => number {
  const uniform = seeded('rows', ...key)
  return (below) => Math.floor(uniform() * below)
}

/** `count` different row numbers below `rows`. */
export function pickRows(pick: (below: number) => number, rows: number, count: number): Int32Array {
  const chosen = new Set<number>()
  // Floyd's way: every subset is equally likely, and it takes `count` draws.
  for (let top = rows - Math.min(count, rows); top < rows; top++) {
    const row = pick(top + 1)
    chosen.add(chosen.has(row) ? top : row)
  }
  return Int32Array.from(chosen)
}
