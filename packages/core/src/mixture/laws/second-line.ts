import type { Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { columnOf, type Matrix, rowVector } from '../../matrix.js'
import { thinnedRows } from '../shared/thinned.js'
import { densitiesBeside } from './beside-cluster.js'
import { asEvidence } from './evidence.js'
import { byEvidence, type Laws } from './good-rows.js'
import { fitWithin, type LawFit } from './law-fit.js'
import { levelInterval } from './level.js'
import type { Offsets } from './offsets.js'
import { offsetsOf } from './row-offsets.js'
import { type Candidate, candidates, cellsInUse, costOf, judged } from './select.js'
import { shareInterval, withShare } from './share-interval.js'

/** With more features than this, or fewer rows, a line through some of them is chance. */
const MANY = 30
const FEWEST = 40
/** So many rows show a second line worth telling. */
const ENOUGH = 1500
/** Rows between so many scales off tell where it may lie. */
const OUTER = [2, 30] as const
/** So many columns are looked at more closely. */
const CLOSER = 2
/** What share of their squares a line explains for it to be worth a closer look: at least this, and more than it does of few rows by chance. */
const WORTH_A_LOOK = 0.05
const BY_CHANCE = 1
const ROUNDS = 25
const STILL = 1e-2
const ROUGH = 1e-4
/** Of the good rows' scale: how narrow and how wide the second line's own may be. */
const WIDTHS = [0.5, 1.5] as const
/** A line of a larger share than this must be there for certain: skewed errors, too, lie about two lines. */
const MANY_IN_DOUBT = 0.3
/** With fewer rows there is no second line. */
const LEAST_ROWS = 4

/** Bad rows that follow a line of their own. */
export interface SecondLine {
  /** The feature along which it rises otherwise. */
  readonly column: number
  readonly share: number
  /** What the level can be if all of them are bad. */
  readonly interval: readonly [number, number]
}

interface Line {
  readonly at: number
  readonly slope: number
  readonly width: number
  readonly share: number
}

/**
 * Rows of which some follow another line: another slope along one feature, and another intercept. Where the two lines cross, bad rows lie among the
 * good ones, and what lies far off is thinner the farther it is, like the tail of a law: so neither shells nor a cluster count them all.
 */
export function secondLine<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  law: Candidate,
  laws: Laws,
): SecondLine | undefined {
  const all = likelihood.rows(data)
  const { cols } = likelihood.features(data)
  if (cols === 0 || cols > MANY || all < FEWEST || all < 4 * (cols + 1)) return undefined
  const some = all <= 2 * ENOUGH ? data : likelihood.take(data, Array.from(thinnedRows(all, ENOUGH)))
  const values = offsetsOf(likelihood, some, params)
  const x = likelihood.features(some)
  const about = { dimension: 1, signed: true, degreesOfFreedom: likelihood.degreesOfFreedom(data) }
  const offsets: Offsets = { ...about, values, counts: rowVector(values.length).fill(1), rows: values.length }
  const starts = startsOf(x, values, Math.exp(law.params[0]))
  if (starts.length === 0) return undefined
  const names = [...new Set([law.shape.name, 'normal' as const])].filter((name) => laws.shapes.includes(name))
  const others = some === data && names.length === 1 ? [] : byEvidence(candidates(values, about, names), laws)
  const without = some === data ? law : others[0]
  const shapes = new Map([...others, without].map((one) => [one.shape, one]))
  let best: { readonly line: Line; readonly column: number; readonly rest: Candidate } | undefined
  let most = without.evidence - relief(offsets.rows)
  for (const { column, line } of starts) {
    const along = columnOf(x, column)
    for (const start of shapes.values()) {
      const found = besideLine(offsets, along, start, line)
      if (found === undefined) continue
      const { rest, restOffsets, value } = found
      const cost = costOf(offsets, rest, cellsInUse(rest) + 1) + 1.5 * Math.log(offsets.rows) + Math.log(cols)
      const evidence = asEvidence(offsets, value) - cost
      const least = found.line.share > MANY_IN_DOUBT ? without.evidence : most
      if (evidence > Math.max(most, least)) {
        most = evidence
        best = { line: found.line, column, rest: judged(restOffsets, rest) }
      }
    }
  }
  if (best === undefined) return undefined
  const { line, column, rest } = best
  const { share } = line
  const interval = withShare(
    rest.level,
    levelInterval([rest]),
    share,
    shareInterval(share * values.length, values.length),
  )
  return { column, share, interval }
}

/** Intercept, slope and width of a line that may be there need only earn one each (Akaike), and not half of log n: nothing is called bad by it, and the interval leaves it open. */
function relief(rows: number): number {
  return 3 * Math.max(0, 0.5 * Math.log(rows) - 1)
}

/** Lines through the rows that lie off, along the columns that tell most of them. */
function startsOf(
  { rows, cols, values: x }: Matrix,
  offsets: Float64Array,
  scale: number,
): { column: number; line: Line }[] {
  const outer: number[] = []
  for (let i = 0; i < rows; i++) {
    const off = Math.abs(offsets[i])
    if (off > OUTER[0] * scale && off < OUTER[1] * scale) outer.push(i)
  }
  if (outer.length < LEAST_ROWS) return []
  const found = Array.from({ length: cols }, (_, column) => {
    const line = lineThrough(
      outer.map((i) => x[i * cols + column]),
      outer.map((i) => offsets[i]),
      new Float64Array(outer.length).fill(1),
    )
    return { column, ...line }
  })
  const enough = Math.max(WORTH_A_LOOK, (BY_CHANCE * (1 + Math.log(cols))) / outer.length)
  return found
    .filter(({ explained }) => explained > enough)
    .sort((a, b) => b.explained - a.explained)
    .slice(0, CLOSER)
    .map(({ column, at, slope }) => ({
      column,
      line: { at, slope, width: scale, share: outer.length / rows },
    }))
}

/** The least-squares line, and what share of the squares it explains. */
function lineThrough(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights: Float64Array,
): { readonly at: number; readonly slope: number; readonly explained: number } {
  let [sum, meanX, meanY, xx, xy, yy] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i]
    meanX += weights[i] * x[i]
    meanY += weights[i] * y[i]
  }
  meanX /= sum
  meanY /= sum
  for (let i = 0; i < weights.length; i++) {
    const [dx, dy] = [x[i] - meanX, y[i] - meanY]
    xx += weights[i] * dx * dx
    xy += weights[i] * dx * dy
    yy += weights[i] * dy * dy
  }
  const slope = xx > 0 ? xy / xx : 0
  return { at: meanY - slope * meanX, slope, explained: yy > 0 ? (slope * xy) / yy : 0 }
}

/** EM in two blocks: the rows of the line, and all else as a law with its shells has them. */
function besideLine(
  offsets: Offsets,
  along: Float64Array,
  from: LawFit,
  start: Line,
):
  | { readonly line: Line; readonly rest: LawFit; readonly restOffsets: Offsets; readonly value: number }
  | undefined {
  const { values, rows } = offsets
  let [line, rest, restOffsets] = [start, from, offsets]
  let value = Number.NEGATIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const others = densitiesBeside(rest, values)
    const inside = new Float64Array(rows)
    let [next, own] = [offsets.degreesOfFreedom * rest.params[0], 0]
    for (let i = 0; i < rows; i++) {
      const r = (values[i] - line.at - line.slope * along[i]) / line.width
      const here = (line.share * Math.exp(-0.5 * r * r)) / (line.width * Math.sqrt(2 * Math.PI))
      const total = Math.max(here + (1 - line.share) * others[i], 1e-300)
      next += Math.log(total)
      inside[i] = here / total
      own += inside[i]
    }
    if (!(own > LEAST_ROWS) || own > 0.5 * rows) return undefined
    const gain = next - value
    value = next
    if (round > 0 && gain < STILL) break
    const { at, slope } = lineThrough(along, values, inside)
    let squares = 0
    for (let i = 0; i < rows; i++) squares += inside[i] * (values[i] - at - slope * along[i]) ** 2
    const scale = Math.exp(rest.params[0])
    const width = Math.min(WIDTHS[1] * scale, Math.max(WIDTHS[0] * scale, Math.sqrt(squares / own)))
    line = { at, slope, width, share: own / rows }
    restOffsets = { ...offsets, counts: inside.map((p) => 1 - p), rows: rows - own }
    rest = fitWithin(restOffsets, from.shape, rest.params, from.shells, ROUGH)
  }
  return { line, rest, restOffsets, value }
}
