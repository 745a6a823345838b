import { scratch } from '../kernels/scratch.js'

const copy = scratch()

/** The k-th smallest of values, from 0 on, by Hoare's selection: no more is put in order than that takes. */
export function kthSmallest(values: Float64Array, k: number): number {
  return select(copyOf(values), k, 0, values.length - 1)
}

/** The smallest ones of these ranks, which ascend: each is looked for behind the one before it. */
export function kthSmallests(values: Float64Array, ranks: readonly number[]): number[] {
  const left = copyOf(values)
  let from = 0
  return ranks.map((k) => {
    const found = select(left, k, from, left.length - 1)
    from = k
    return found
  })
}

function copyOf(values: Float64Array): Float64Array {
  const left = copy(values.length)
  left.set(values)
  return left
}

/** Puts the value of rank k in its place, the others from `from` to `to` before or behind it, and returns it. */
function select(left: Float64Array, k: number, from: number, to: number): number {
  while (from < to) {
    // The middle one of three, so that values in order take no longer than others.
    const pivot = middle(left[from], left[(from + to) >> 1], left[to])
    let i = from
    let j = to
    while (i <= j) {
      while (left[i] < pivot) i++
      while (left[j] > pivot) j--
      if (i > j) break
      const value = left[i]
      left[i++] = left[j]
      left[j--] = value
    }
    if (k <= j) to = j
    else if (k >= i) from = i
    else break
  }
  return left[k]
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
