import type { Supervised } from 'rlvi'
import type { Blocks } from 'rlvi/passes'

/** Bits of a number's order that one pass settles. */
const BITS = 16
const BINS = 2 ** BITS

/** The number of a value in the order of all doubles, in two halves: of 32 bits each, the more significant one first. */
class Orders {
  private readonly value = new Float64Array(1)
  private readonly halves = new Uint32Array(this.value.buffer)
  private readonly last = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0

  /** The 16 bits of a number's order that begin at digit 0, 1, 2 or 3. */
  digits(value: number, out: Uint16Array): void {
    // -0 is 0.
    this.value[0] = value + 0
    let high = this.halves[this.last]!
    let low = this.halves[1 - this.last]!
    const isNegative = high >= 2 ** 31
    // Negative numbers count down; positive ones follow them.
    high = (isNegative ? ~high : high | 0x80000000) >>> 0
    if (isNegative) low = ~low >>> 0
    out[0] = high >>> 16
    out[1] = high & 0xffff
    out[2] = low >>> 16
    out[3] = low & 0xffff
  }

  valueOf(digits: Uint16Array): number {
    let high = ((digits[0]! << 16) | digits[1]!) >>> 0
    let low = ((digits[2]! << 16) | digits[3]!) >>> 0
    if (high >= 2 ** 31) high = (high & 0x7fffffff) >>> 0
    else {
      high = ~high >>> 0
      low = ~low >>> 0
    }
    this.halves[this.last] = high
    this.halves[1 - this.last] = low
    return this.value[0]!
  }
}

interface Searched {
  readonly column: number
  readonly digits: Uint16Array
  /** Values of the same digits so far that come before it. */
  before: number
  readonly counts: Uint32Array
}

/**
 * The values at some places of each column's sorted values, exactly, by four passes over the rows: each settles 16 bits. Place p
 * is that of the value number floor(p (rows - 1)), from 0.
 */
export async function valuesAt(
  blocks: Blocks<Supervised>,
  places: readonly number[],
): Promise<Float64Array[]> {
  const orders = new Orders()
  const { cols } = blocks
  // Columns in groups, so that counts stay within some megabytes.
  const out = Array.from({ length: cols }, () => new Float64Array(places.length))
  const most = Math.max(1, Math.floor(2 ** 25 / (4 * BINS * places.length)))
  for (let from = 0; from < cols; from += most) {
    const some = Array.from({ length: Math.min(most, cols - from) }, (_, k) => from + k)
    const found = some.flatMap((column) => places.map((place) => searched(column, place, blocks.rows)))
    for (let digit = 0; digit < 4; digit++) await settle(blocks, found, digit, orders)
    found.forEach(({ column, digits }, k) => {
      out[column]![k % places.length] = orders.valueOf(digits)
    })
  }
  return out
}

function searched(column: number, place: number, rows: number): Searched {
  const before = Math.floor(place * (rows - 1))
  return { column, digits: new Uint16Array(4), before, counts: new Uint32Array(BINS) }
}

async function settle(
  blocks: Blocks<Supervised>,
  found: readonly Searched[],
  digit: number,
  orders: Orders,
): Promise<void> {
  const own = new Uint16Array(4)
  for (const { counts } of found) counts.fill(0)
  await blocks.each(({ x: { rows, cols, values } }) => {
    for (const { column, digits, counts } of found)
      for (let i = 0; i < rows; i++) {
        orders.digits(values[i * cols + column]!, own)
        let isSame = true
        for (let k = 0; k < digit; k++) isSame &&= own[k] === digits[k]
        if (isSame) counts[own[digit]!]!++
      }
  })
  for (const one of found) {
    let bin = 0
    while (one.before >= one.counts[bin]!) one.before -= one.counts[bin++]!
    one.digits[digit] = bin
  }
}
