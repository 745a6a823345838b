import type { Matrix } from 'rlvi'

/** Fewer copies are chance, and more values take longer to compare than a small fit. */
const FEWEST = 3
const FEWEST_SHARE = 0.01
const MOST_VALUES = 2_000_000
/** How many times as many as chance makes there must be. */
const TIMES = 10

/**
 * What to think of rows that repeat an earlier one in all columns and the response: where chance would make far fewer of them,
 * were columns independent, they were copied, and count for more than they say.
 */
export function repeatedRows(x: Matrix, y: Float64Array | undefined): string | undefined {
  const { rows } = x
  if (rows * (x.cols + 1) > MOST_VALUES) return undefined
  const count = countRepeated(x, y)
  if (count < Math.max(FEWEST, FEWEST_SHARE * rows) || count < TIMES * expected(x, y)) return undefined
  return `${count} of ${rows} rows repeat an earlier one in all columns that are used: if they are copies take them out, or all that is said is too sure`
}

function countRepeated(x: Matrix, y: Float64Array | undefined): number {
  const { cols, values } = x
  const isSame = (a: number, b: number): boolean => {
    if (y !== undefined && y[a] !== y[b]) return false
    for (let j = 0; j < cols; j++) if (values[a * cols + j] !== values[b * cols + j]) return false
    return true
  }
  const bits = new Uint32Array(2)
  const number = new Float64Array(bits.buffer)
  const seen = new Map<number, number[]>()
  let count = 0
  for (let i = 0; i < x.rows; i++) {
    let hash = 0
    const mix = (value: number): void => {
      // -0 is 0.
      number[0] = value + 0
      hash = Math.imul(hash ^ bits[0]!, 0x01000193)
      hash = Math.imul(hash ^ bits[1]! ^ (hash >>> 15), 0x01000193)
    }
    for (let j = 0; j < cols; j++) mix(values[i * cols + j]!)
    if (y !== undefined) mix(y[i]!)
    const alike = seen.get(hash)
    if (alike === undefined) seen.set(hash, [i])
    else if (alike.some((other) => isSame(i, other))) count++
    else alike.push(i)
  }
  return count
}

/** Pairs of equal rows, were the columns independent of each other. */
function expected(x: Matrix, y: Float64Array | undefined): number {
  const column = (j: number): Float64Array =>
    Float64Array.from({ length: x.rows }, (_, i) => x.values[i * x.cols + j]!)
  const columns = Array.from({ length: x.cols }, (_, j) => column(j))
  if (y !== undefined) columns.push(y)
  let pairs = (x.rows * (x.rows - 1)) / 2
  for (const values of columns) {
    const counts = new Map<number, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    let equal = 0
    for (const count of counts.values()) equal += count * (count - 1)
    pairs *= equal / (x.rows * (x.rows - 1))
  }
  return pairs
}
