/** Bad rows in a one-sided cluster near the good ones: 3 to 8 sigma above the line, where the two overlap. */
import { matrix, type Supervised } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { answerOf, contains } from './same-answer.js'
import { chosen, meanOf, percent, refuseUnknown, shareOf, signed, twoErrors } from './statistics.js'

const ROWS = 500
const COLUMNS = 3
const DISTANCES = ['3', '4', '5', '6', '8'] as const
const SHARES = [0.1, 0.2]
/** The cluster's own standard deviation. */
const SPREADS = [0.5, 1]
const WANTED = 0.8

export interface Cluster {
  readonly distance: number
  readonly spread: number
  readonly share: number
}

interface Task extends Cluster {
  readonly seed: number
  readonly first: number
  readonly last: number
}

interface Reported {
  readonly level: number
  readonly width: number
  readonly holds: boolean
  readonly slopeError: number
}

export function work({ seed, first, last, ...cluster }: Task): Reported[] {
  return Array.from({ length: last - first }, (_, k) => {
    const answer = answerOf(clusterSet(cluster, seed, first + k))
    const squares = answer.coefficients.slice(1).map((slope) => (slope - 1) ** 2)
    return {
      level: answer.level,
      width: answer.high - answer.low,
      holds: contains(answer, cluster.share),
      slopeError: Math.sqrt(meanOf(squares)),
    }
  })
}

/** y = 1 + x1 + x2 + x3 + N(0, 1); of bad rows, + N(distance, spread^2) in place of the noise. */
export function clusterSet({ distance, spread, share }: Cluster, seed: number, run: number): Supervised {
  const random = draws(seed, 'clusters-1d', distance, spread, share, run)
  const x = matrix(ROWS, COLUMNS)
  const y = new Float64Array(ROWS)
  for (let i = 0; i < ROWS; i++) {
    const row = Float64Array.from({ length: COLUMNS }, () => random.normal())
    x.values.set(row, i * COLUMNS)
    const noise = random.normal()
    const off = i < Math.round(share * ROWS) ? distance + spread * noise : noise
    y[i] = 1 + row.reduce((a, b) => a + b) + off
  }
  return { x, y }
}

interface Cell extends Cluster {
  readonly runs: number
  readonly bias: number
  readonly coverage: number
  readonly width: number
  readonly slopeError: number
}

export function summarise(cluster: Cluster, all: readonly Reported[]): Cell {
  return {
    ...cluster,
    runs: all.length,
    bias: meanOf(all.map(({ level }) => level)) - cluster.share,
    coverage: shareOf(all.map(({ holds }) => holds)),
    width: meanOf(all.map(({ width }) => width)),
    slopeError: meanOf(all.map(({ slopeError }) => slopeError)),
  }
}

function criterionOf(distance: number, cells: readonly Cell[]): Criterion {
  const least = cells.reduce((a, b) => (b.coverage < a.coverage ? b : a))
  const mean = meanOf(cells.map(({ coverage }) => coverage))
  return {
    name: `clusters at ${distance} sigma: intervals cover at least 80 %`,
    holds: mean >= WANTED && least.coverage >= WANTED - twoErrors(WANTED, least.runs),
    detail: `mean ${percent(mean)}, least ${percent(least.coverage)} at ${100 * least.share} %, spread ${least.spread}`,
  }
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  refuseUnknown(only, DISTANCES)
  const clusters = chosen(only, DISTANCES).flatMap((distance) =>
    SHARES.flatMap((share) => SPREADS.map((spread) => ({ distance: Number(distance), share, spread }))),
  )
  const parts = pieces(runs, 10)
  const tasks = clusters.flatMap((cluster) => parts.map((part) => ({ ...cluster, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  const cells = clusters.map((cluster, k) =>
    summarise(cluster, results.slice(k * parts.length, (k + 1) * parts.length).flat()),
  )
  say(`bad rows in a cluster on one side, n = ${ROWS}, p = ${COLUMNS}, ${runs} runs`)
  table(
    ['distance', 'bad', 'spread', 'bias', 'coverage', 'interval width', 'slope error'],
    cells.map((cell) => [
      `${cell.distance} sigma`,
      `${100 * cell.share} %`,
      String(cell.spread),
      signed(cell.bias),
      percent(cell.coverage),
      cell.width.toFixed(3),
      cell.slopeError.toFixed(3),
    ]),
  )
  const near = cells.filter(({ distance }) => distance === 3)
  if (near.length > 0) {
    const [coverage, width] = [meanOf(near.map((c) => c.coverage)), meanOf(near.map((c) => c.width))]
    say(`  at 3 sigma: coverage ${percent(coverage)}, intervals ${width.toFixed(3)} wide (reported only)`)
  }
  const judged = [...new Set(cells.map(({ distance }) => distance))].filter((distance) => distance >= 4)
  verdict(
    judged.map((distance) =>
      criterionOf(
        distance,
        cells.filter((cell) => cell.distance === distance),
      ),
    ),
  )
}

if (isProgram(import.meta.url)) await main(runOptions(100))
