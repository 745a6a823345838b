/** A seeded source of row numbers (mulberry32): enough to choose subsets, the same on every machine. */
export function rowPicker(seed: number): (below: number) => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below)
  }
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
