import { show } from 'rlvi'
import type { Feature } from '../encoding/design.js'
import type { Words } from '../words.js'
import { correlation } from './correlation.js'

/** In fewer rows all may be in one order by chance. */
const FEWEST_ROWS = 50
/** Beyond what is measured twice: rounding is all that is between them. */
const NEARLY_ONE = 0.9999
/** A copy with the same numbers in so many rows is told as the sum that it is. */
const SAME = 0.5

/**
 * A remark on columns of numbers that go with the target in all rows, bad ones too, in a straight line or in another curve that only
 * rises or only falls: a pace that was computed from the time, a price with tax.
 *
 * @param some - of these rows those that are looked at
 */
export function likeTargetRemark(
  features: readonly Feature[],
  rows: Int32Array,
  y: Float64Array,
  words: Words,
  some: Int32Array,
): string | undefined {
  if (rows.length < FEWEST_ROWS) return undefined
  const own = Array.from(some, (i) => y[i]!)
  const ranked = ranks(own)
  const found = features.flatMap(({ encoding: { name }, data }) => {
    if (data.kind === 'text') return []
    const values = Array.from(some, (i) => data.values[data.offset + rows[i]! * data.stride]!)
    const same = values.reduce((count, value, k) => count + (value === own[k] ? 1 : 0), 0)
    if (same > SAME * own.length) return []
    const r = Math.max(Math.abs(correlation(own, values)), Math.abs(correlation(ranked, ranks(values))))
    return r > NEARLY_ONE ? [name] : []
  })
  const names = [...new Set(found)]
  if (names.length === 0) return undefined
  const [which, was, it] =
    names.length > 1
      ? [`columns ${names.map(show).join(', ')} go`, 'they were', 'them']
      : [`column ${show(names[0])} goes`, 'it was', 'it']
  return `${which} with the target almost exactly in all rows: if ${was} computed from it, an error is in both and its row looks good; ${words.option('exclude', names)} leaves ${it} out`
}

/** Places in order; equal values share the middle of theirs. */
function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((i, j) => values[i]! - values[j]!)
  const out = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let k = from; k < to; k++) out[order[k]!] = (from + to - 1) / 2
    from = to
  }
  return out
}
