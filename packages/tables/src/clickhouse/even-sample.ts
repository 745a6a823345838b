import { SAMPLE_ROWS } from 'rlvi/passes'
import { type Answer, checkRows, numberOf } from '../sql/rows.js'
import type { Contents } from './source.js'

/** Of rows that are at least this part of a table, all are counted. */
const FREQUENT = 1000

/** A row, how many of the table are like it, and its hash. */
interface Kind {
  readonly row: readonly Answer[]
  readonly count: number
  readonly hash: bigint
}

/** Which rows come first: as good as drawn by lot, and the same every time. */
export function hashSql(items: readonly string[]): string {
  return `cityHash64(${items.map((item) => `ifNull(toString(${item}), '')`).join(', ')})`
}

/**
 * Rows of a table, evenly from all: of all different ones, in the order of their hashes and each as often as it is there, every
 * so-many-th. Where there are too many different ones, those with certain hashes stand for all but the frequent ones, which are
 * always looked at: one row that is half of a table is half of its sample. Of a small table all come, each with its hash behind it.
 */
export async function evenSample(
  { table, rows: total }: Contents,
  items: readonly string[],
  hash: string,
): Promise<(readonly Answer[])[]> {
  const { server, from } = table
  if (total < 2 * SAMPLE_ROWS) {
    const all = await server.ask(
      `SELECT ${items.join(', ')}, toString(${hash}) FROM ${from} ORDER BY ${hash}`,
    )
    checkRows({ rows: total }, all.length)
    return [...all]
  }
  const [[different = 0, frequent = []] = []] = await server.ask(
    `SELECT uniq(${hash}), arrayMap(h -> toString(h), topK(${FREQUENT})(${hash})) FROM ${from}`,
  )
  const stride = Math.max(1, Math.floor(numberOf(different) / SAMPLE_ROWS))
  const some = `WHERE ${hash} % ${stride} = 0 OR ${hash} IN (${(frequent as readonly unknown[]).join(', ')})`
  const found = await server.ask(
    `SELECT ${items.join(', ')}, count(), toString(any(${hash})) FROM ${from} ${stride === 1 ? '' : some} GROUP BY ${items.join(', ')}`,
  )
  const kinds = found.map(
    (cells): Kind => ({
      row: cells.slice(0, items.length),
      count: numberOf(cells[items.length]!),
      hash: BigInt(String(cells[items.length + 1])),
    }),
  )
  if (stride === 1) checkRows({ rows: total }, sumOf(kinds))
  return picked(kinds, total, BigInt(stride))
}

/** Every so-many-th row, where kinds with certain hashes stand for those that were not fetched. */
function picked(kinds: readonly Kind[], total: number, stride: bigint): (readonly Answer[])[] {
  const isFrequent = ({ count }: Kind): boolean => count * FREQUENT >= total
  const standing = kinds.filter((kind) => !isFrequent(kind) && kind.hash % stride === 0n)
  const all = [...kinds.filter(isFrequent), ...standing].sort((a, b) => (a.hash < b.hash ? -1 : 1))
  const others = total - sumOf(kinds.filter(isFrequent))
  const each = others / Math.max(1, sumOf(standing))
  const out: (readonly Answer[])[] = []
  let [end, step] = [0, 0.5]
  for (const kind of all) {
    end += isFrequent(kind) ? kind.count : kind.count * each
    for (; step * total < end * SAMPLE_ROWS; step++) out.push(kind.row)
  }
  return out
}

function sumOf(kinds: readonly Kind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0)
}
