import type { Matrix } from 'rlvi'

/** Enough rows to recognise a copy or a sum by. */
export const ENOUGH_ROWS = 2000

/** Digits beyond these may be those of rounding, where a column was brought from one unit to another. */
const BITS = 30

/**
 * At most so many rows, which stand for all. They are chosen by what they hold and not by where they stand: in order of a hash of
 * their values, evenly, so that in whatever order rows come the same are taken, and none are in step with a period of the table.
 */
export function someRows(most: number, x: Matrix, y?: Float64Array): Int32Array {
  const { rows } = x
  if (rows <= most) return Int32Array.from({ length: rows }, (_, i) => i)
  const hashes = hashesOf(x, y)
  const wanted = new Map<number, number>()
  for (const hash of evenly(hashes, most)) wanted.set(hash, (wanted.get(hash) ?? 0) + 1)
  const out: number[] = []
  for (let i = 0; i < rows; i++) {
    // Of rows that are alike it does not matter which.
    const left = wanted.get(hashes[i]!) ?? 0
    if (left === 0) continue
    wanted.set(hashes[i]!, left - 1)
    out.push(i)
  }
  return Int32Array.from(out)
}

/** So many parts of what hashes may be, in order. */
const PARTS = 2 ** 16
const partOf = (hash: number): number => Math.floor(hash * (PARTS / 2 ** 53))

/** So many of the hashes, evenly along their order: only those in a part with one that is wanted are put in order. */
function evenly(hashes: Float64Array, most: number): Float64Array {
  const counts = new Int32Array(PARTS)
  for (const hash of hashes) counts[partOf(hash)]!++
  const ranks = Float64Array.from({ length: most }, (_, k) => Math.floor((k * hashes.length) / most))
  const isWanted = new Uint8Array(PARTS)
  /** For each rank how many before it are in parts that are not wanted. */
  const without = new Float64Array(most)
  let [end, others, k] = [0, 0, 0]
  for (let part = 0; part < PARTS; part++) {
    end += counts[part]!
    if (k < most && ranks[k]! < end) isWanted[part] = 1
    else others += counts[part]!
    for (; k < most && ranks[k]! < end; k++) without[k] = others
  }
  const ordered = hashes.filter((hash) => isWanted[partOf(hash)] === 1).sort()
  return ranks.map((rank, at) => ordered[rank - without[at]!]!)
}

/** 53 bits for each row: by chance two of ten million rows have the same in one table of two hundred. */
function hashesOf(x: Matrix, y: Float64Array | undefined): Float64Array {
  const perStep = perSteps(x)
  const [ofAnswer = 0] = y === undefined ? [] : perSteps({ rows: x.rows, cols: 1, values: y })
  const out = new Float64Array(x.rows)
  for (let i = 0, at = 0; i < x.rows; i++) {
    let first = y === undefined ? 0 : Math.round(y[i]! * ofAnswer) | 0
    let second = first
    for (let j = 0; j < x.cols; j++, at++) {
      const whole = Math.round(x.values[at]! * perStep[j]!) | 0
      first = mixed(first ^ whole, 0x85ebca6b)
      second = mixed((second + whole) | 0, 0xc2b2ae35)
    }
    out[i] = (first >>> 0) * 2 ** 21 + (second >>> 11)
  }
  return out
}

/** What values are multiplied by before they are rounded: the largest of a column is then about 2^30. */
function perSteps({ rows, cols, values }: Matrix): Float64Array {
  const most = new Float64Array(cols)
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) {
      const size = Math.abs(values[at]!)
      if (size > most[j]!) most[j] = size
    }
  // A power of two, and no logarithm that is whole decides which: the last digits of the largest must not.
  return most.map((size) => (size > 0 ? 2 ** (BITS - Math.round(Math.log2(size))) : 0))
}

/** As MurmurHash3 mixes its last bits. */
function mixed(bits: number, factor: number): number {
  let h = (Math.imul(bits ^ (bits >>> 16), factor) + 0x9e3779b9) | 0
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f)
  return h ^ (h >>> 16)
}
