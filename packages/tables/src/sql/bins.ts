import { type Continuous, type CovarianceParams, matrix, type Params, type Supervised } from 'rlvi'
import {
  BIN_POWERS,
  BINS_PER_UNIT,
  binGrid,
  covarianceTerms,
  FARTHEST,
  type LossBins,
  type OffsetBins,
  type OffsetsAsked,
} from 'rlvi/passes'
import { choose, type Let, number } from './dialect.js'
import { scaledOffsetSql } from './laws.js'
import { lossSql } from './models.js'
import { checkRows, numberOf, numbersOf } from './rows.js'
import type { SqlScan } from './scan.js'

/** Rows by their losses: see `LossBins`. */
export async function lossBins<P extends Params>(scan: SqlScan<P>, params: P): Promise<LossBins> {
  const floor =
    scan.model.name === 'covariance' ? covarianceTerms(params as unknown as CovarianceParams).constant : 0
  const bins = await lossesAbove(scan, floor, params)
  // Losses are at least `floor`; where all are far above it, the bins begin there.
  return bins.least - floor > FARTHEST && Number.isFinite(bins.most)
    ? await lossesAbove(scan, bins.least, params)
    : bins
}

async function lossesAbove<P extends Params>(scan: SqlScan<P>, floor: number, params: P): Promise<LossBins> {
  const { dialect, prefix } = scan.table
  const [l, place, bin, u] = ['l', 'place', 'bin', 'u'].map((name) => `${prefix}${name}`) as [
    string,
    string,
    string,
    string,
  ]
  const loss = lossSql(scan.model, params, scan.names, '')
  // All that is beyond any reach is one group, so that there are never more than some thousands.
  const end = Math.floor((floor + 2 * FARTHEST) * BINS_PER_UNIT)
  // Counted from the first that can be, since 32 bits are all that a database may have for a bin.
  const from = Math.floor(floor * BINS_PER_UNIT)
  const lets: Let[] = [
    ...loss.lets,
    [l, loss.sql],
    [place, `(${l}) * ${number(BINS_PER_UNIT)}`],
    [bin, choose(`${place} < ${number(end)}`, `floor(${place})`, number(end))],
    [u, `(${number(2)} * (${place} - ${bin}) - ${number(1)})`],
  ]
  const powers = dialect.powers(u, BIN_POWERS - 1, `${prefix}u_`)
  const odd = `sum(${choose(dialect.isNaN(l), number(1), number(0))})`
  const own = dialect.whole(`${bin} - ${number(from)}`)
  const items = [own, 'count(*)', `min(${l})`, `max(${l})`, odd, powers]
  const groups = (await scan.query(lets, items, bin))
    .map((row) => row.flatMap(numbersOf))
    .map(([k = 0, ...rest]) => [k + from, ...rest])
  checkRows(
    scan.table,
    groups.reduce((sum, group) => sum + group[1]!, 0),
  )
  const none = groups.some((group) => group[4]! > 0)
  const least = groups.reduce((a, group) => Math.min(a, group[2]!), Number.POSITIVE_INFINITY)
  const most = none
    ? Number.NaN
    : groups.reduce((a, group) => Math.max(a, group[3]!), Number.NEGATIVE_INFINITY)
  if (!Number.isFinite(least) || !Number.isFinite(most))
    return { least, most, first: 0, sums: new Float64Array(0), beyond: 0 }
  const first = Math.floor(least * BINS_PER_UNIT)
  const inside = groups.filter((group) => group[0]! < Math.min(end, first + FARTHEST * BINS_PER_UNIT))
  const last = inside.reduce((a, group) => Math.max(a, group[0]!), first)
  const sums = new Float64Array((last - first + 1) * BIN_POWERS)
  let beyond = scan.table.rows
  for (const [k = 0, count = 0, , , , ...powers] of inside) {
    sums.set([count, ...powers], (k - first) * BIN_POWERS)
    beyond -= count
  }
  return { least, most, first, sums, beyond }
}

/** Rows by how far they lie off the model. */
export async function offsetBins<P extends Params>(
  scan: SqlScan<P>,
  { params, unit, growth }: OffsetsAsked<P>,
): Promise<OffsetBins> {
  const { dialect, prefix } = scan.table
  const { octaves, perShell, edge, near, far, first } = binGrid(dimensionOf(scan), unit)
  const { lets, sql } = scaledOffsetSql(scan.model, params, growth, scan.names, '')
  const bin = `${prefix}bin`
  const nearBin = (size: string): string =>
    dialect.least(number(near - 1), `floor(${number(near)} * ${size} / ${number(edge)})`)
  const farBin = (size: string): string => {
    const octave = `${dialect.log2(`${size} / ${number(unit)}`)} / ${number(octaves)} * ${number(perShell)}`
    const steps = dialect.greatest(number(1), `ceil(${octave}) - ${number(first)}`)
    return `${number(near - 1)} + ${dialect.least(number(far), steps)}`
  }
  const place = dialect.bind(sql, `${prefix}v`, (v) => {
    const within = `abs(${v}) <= ${number(edge)}`
    // Far bins are only for what is far: the logarithm of 0 is an error to some.
    const size = dialect.greatest(`abs(${v})`, number(edge))
    const own = choose(within, nearBin(`abs(${v})`), farBin(size))
    return `${number(2)} * ${own} + ${choose(`${v} < ${number(0)}`, number(1), number(0))}`
  })
  const all: Let[] = [...lets, [bin, place]]
  const groups = (await scan.query(all, [dialect.whole(bin), 'count(*)', `sum(${sql})`], bin))
    .map((row) => row.map(numberOf))
    .sort((a, b) => a[0]! - b[0]!)
  checkRows(
    scan.table,
    groups.reduce((total, group) => total + group[1]!, 0),
  )
  return {
    values: Float64Array.from(groups, (group) => group[2]! / group[1]!),
    counts: Float64Array.from(groups, (group) => group[1]!),
  }
}

/** Of an offset. */
function dimensionOf<P extends Params>(scan: SqlScan<P>): number {
  const { name, likelihood } = scan.model
  if (name === 'linear') return 1
  const one: Supervised = { x: matrix(1, scan.cols), y: new Float64Array(0) }
  return (likelihood as unknown as Continuous<Supervised, P>).dimension(one)
}
