import { type Matrix, show } from 'rlvi'
import type { DesignColumn } from '../encoding/encoding.js'
import type { ModelName } from '../fit/methods.js'

/** Columns of fewer values say little of which rows belong together. */
const VALUES = 10
/** Of the rows at least this share has others of its group, and so many times as many pairs are alike as chance makes; fewer times, where hardly any row is alone. */
const SHARE = 0.5
const TIMES = 10
const NEARLY_ALL = 0.95
const FEWER_TIMES = 3
const FEWEST_GROUPS = 5
const MOST_VALUES = 2_000_000
/** So many columns are named. */
const NAMED = 3

/**
 * Rows that come in groups with the same features, as where a person was measured several times: they are not independent, and a model of
 * labels or counts takes what they have in common for evidence.
 */
export function groupedRowsRemark(
  x: Matrix,
  columns: readonly DesignColumn[],
  model: ModelName,
): string | undefined {
  if (model !== 'logistic' && model !== 'softmax' && model !== 'poisson') return undefined
  const { rows, cols } = x
  if (rows * cols > MOST_VALUES || rows < 2) return undefined
  const counts = Array.from({ length: cols }, (_, j) => countsOf(rows, (i) => x.values[i * cols + j]!))
  const kept = Array.from(counts.keys()).filter((j) => counts[j]!.size >= VALUES)
  // Of a single column equal values are no coincidence.
  if (kept.length < 2) return undefined
  const groups = countsOf(rows, (i) => kept.map((j) => x.values[i * cols + j]).join(' '))
  let sharing = 0
  for (const count of groups.values()) if (count > 1) sharing += count
  if (groups.size < FEWEST_GROUPS || sharing < SHARE * rows) return undefined
  const all = (rows * (rows - 1)) / 2
  // Pairs of equal rows, were the columns independent of each other.
  const expected = kept.reduce((pairs, j) => (pairs * pairsOf(counts[j]!)) / all, all)
  const times = sharing < NEARLY_ALL * rows ? TIMES : FEWER_TIMES
  if (pairsOf(groups) < times * expected) return undefined
  const names = kept.slice(0, NAMED).map((j) => show(columns[j]!.name))
  const which = `${names.join(', ')}${kept.length > NAMED ? ', …' : ''}`
  const judged = model === 'poisson' ? 'bad counts' : 'wrong labels'
  return `${sharing} of ${rows} rows share ${which} with others, in ${groups.size} groups, as where one person or place was measured several times: such rows are not independent, and the share of ${judged} can lie outside of its interval; take one row of each group, or their mean`
}

function countsOf<K>(rows: number, keyOf: (i: number) => K): Map<K, number> {
  const counts = new Map<K, number>()
  for (let i = 0; i < rows; i++) {
    const key = keyOf(i)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function pairsOf(counts: ReadonlyMap<unknown, number>): number {
  let pairs = 0
  for (const count of counts.values()) pairs += (count * (count - 1)) / 2
  return pairs
}
