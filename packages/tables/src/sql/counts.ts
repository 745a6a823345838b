import type { LinearParams, Params } from 'rlvi'
import {
  BIN_POWERS,
  BINS_PER_UNIT,
  type CountRule,
  countShells,
  FARTHEST,
  type LossBins,
  type PassModel,
  type ShellBins,
  type ShellsAsked,
} from 'rlvi/passes'
import { choose, type Let, minus, number } from './dialect.js'
import { lossSql, predictorSql, type RowsSql, type ValueSql } from './models.js'

/** Where a row's count lies: its shell, its density there, and how far out its core reaches, as `shellsOf` has them. */
interface InShells {
  readonly lets: readonly Let[]
  readonly loss: string
  /** Of the core -1. */
  readonly shell: string
  readonly density: string
  readonly reach: string
}

/** A density of nothing has no logarithm. */
const SMALLEST = 1e-300

function inShellsSql<P extends Params>(
  model: PassModel<P>,
  { params, at, least, core: { height, reach } }: ShellsAsked<P>,
  rows: RowsSql,
  tag: string,
): InShells {
  const { dialect, prefix, y } = rows
  const { core, growth, firstReach, eta: range } = countShells
  const { dispersion = 0 } = model
  const loss = lossSql(model, params, rows, tag)
  const eta = predictorSql(at as unknown as LinearParams, rows, `${tag}at`)
  const within = dialect.greatest(number(range[0]), dialect.least(number(range[1]), eta.sql))
  const mean = `${prefix}mean${tag}`
  const [l, shell, density, far] = ['l', 'shell', 'density', 'far'].map(
    (name) => `${prefix}${name}${tag}`,
  ) as [string, string, string, string]
  /** What is said of a row's mean, with the edges of its core. */
  const about = (say: (m: string, low: string, high: string) => string): string =>
    dialect.bind(mean, `${prefix}m${tag}`, (m) => {
      const variance = dispersion === 0 ? m : `(${m} + ${number(dispersion)} * ${m} * ${m})`
      const shape = dispersion === 0 ? m : `(${m} / ${variance} * ${m})`
      const cube = (z: number): string => {
        const root = `${number(1)} - ${number(1)} / (${number(9)} * ${shape}) + ${number(z)} / (${number(3)} * sqrt(${shape}))`
        return `${m} * pow(${dialect.greatest(number(0), root)}, ${number(3)})`
      }
      const most = dialect.greatest(cube(core), `${m} + ${number(core)} * sqrt(${variance})`)
      return say(m, `floor(${dialect.least(cube(-core), m)})`, `ceil(${dialect.greatest(most, number(1))})`)
    })
  const edge = (m: string, k: string): string =>
    `(${m} + ${number(1)}) * pow(${number(growth)}, ${number(least)} + ${k})`
  // The first shell whose edge is not below the count: by a logarithm, and by the edges themselves where that is rounded.
  const above = (m: string): string => {
    const steps = `ceil(${dialect.log2(`${dialect.greatest(y, number(1))} / (${m} + ${number(1)})`)} / ${number(Math.log2(growth))}) - ${number(least)}`
    const near = dialect.bind(dialect.greatest(number(0), steps), `${prefix}near${tag}`, (k) => {
      const beyond = choose(`${y} > ${edge(m, k)}`, number(1), number(0))
      const below = choose(
        `${k} > ${number(0)} AND ${y} <= ${edge(m, `${k} - ${number(1)}`)}`,
        number(1),
        number(0),
      )
      return `${k} + ${beyond} - ${below}`
    })
    return `${near} + ${number(1)}`
  }
  const shellOf = about((m, low, high) =>
    choose(`${y} < ${low}`, number(0), choose(`${y} <= ${high}`, number(-1), above(m))),
  )
  const densityOf = about((m, low, high) => {
    const size = reach === 'all' ? `${high} - ${low} + ${number(1)}` : `${high} - floor(${m})`
    const together = `(${number(height)} * (${size}) + floor(${edge(m, number(0))}) - ${high})`
    const inCore = height === 0 ? number(0) : `${number(height)} / ${together}`
    const own = `${shell} - ${number(1)}`
    const wide = `(floor(${edge(m, own)}) - floor(${edge(m, `${own} - ${number(1)}`)}))`
    return choose(
      `${shell} = ${number(0)}`,
      `${number(1)} / ${dialect.greatest(low, number(1))}`,
      choose(
        `${shell} = ${number(1)}`,
        `${number(1)} / ${together}`,
        choose(
          `${shell} > ${number(1)}`,
          `${number(1)} / ${dialect.greatest(wide, number(1))}`,
          reach === 'all' ? inCore : choose(`${y} > ${m}`, inCore, number(0)),
        ),
      ),
    )
  })
  const reaches = about((m, _, high) => `${number(firstReach)} * ${high} / (${m} + ${number(1)})`)
  return {
    lets: [
      ...loss.lets,
      ...eta.lets,
      [l, loss.sql],
      [mean, `exp(${within})`],
      [shell, shellOf],
      [density, densityOf],
      [far, reaches],
    ],
    loss: l,
    shell,
    density,
    reach: far,
  }
}

/** P(good) of a count: what `goodCounts` computes. */
export function goodCountsSql<P extends Params>(
  model: PassModel<P>,
  rule: CountRule<P>,
  rows: RowsSql,
): ValueSql {
  const { dialect, prefix } = rows
  const { lets, loss, shell, density } = inShellsSql(model, rule, rows, 'w')
  const share = dialect.entry(Array.from(rule.shares), `abs(${shell})`)
  const bad = `${number(1 - rule.good)} * ${share} * ${density}`
  const weight = dialect.bind(
    `${number(rule.good)} * exp(${minus(loss)})`,
    `${prefix}g`,
    (g) => `${g} / ${dialect.greatest(`${g} + ${bad}`, number(SMALLEST))}`,
  )
  return { lets: [...lets, [`${prefix}weight`, weight]], sql: `${prefix}weight` }
}

type Query = (
  lets: readonly Let[],
  items: readonly string[],
  groupBy: string,
) => Promise<readonly (readonly number[])[]>

/** Rows by shells: what `ShellBinsBuilder` gathers. */
export async function shellBinsBySql<P extends Params>(
  model: PassModel<P>,
  ask: ShellsAsked<P>,
  rows: RowsSql,
  query: Query,
): Promise<{ readonly bins: ShellBins; readonly rows: number }> {
  const { dialect, prefix } = rows
  const { lets: own, loss, shell, density, reach } = inShellsSql(model, ask, rows, '')
  const [k, t, place, bin, u] = ['k', 't', 'place', 'bin', 'u'].map((name) => `${prefix}${name}`) as [
    string,
    string,
    string,
    string,
    string,
  ]
  // Beyond the end e^-t is 0. Rows that no shell explains have a group of their own.
  const end = FARTHEST * BINS_PER_UNIT
  const explained = `${density} > ${number(0)}`
  const log = choose(explained, dialect.ln(dialect.greatest(density, number(SMALLEST))), number(0))
  const lets: Let[] = [
    ...own,
    [k, choose(explained, `abs(${shell})`, number(1))],
    [t, `${loss} + ${log}`],
    [place, `${t} * ${number(BINS_PER_UNIT)}`],
    [
      bin,
      choose(explained, choose(`${place} < ${number(end)}`, `floor(${place})`, number(end)), number(end + 1)),
    ],
    [u, `(${number(2)} * (${place} - ${bin}) - ${number(1)})`],
  ]
  const inCore = `sum(${choose(`${shell} < ${number(0)}`, number(1), number(0))})`
  const items = [dialect.whole(k), dialect.whole(bin), 'count(*)', inCore, `min(${t})`, `max(${t})`]
  const sums = [`sum(${loss})`, `sum(${log})`, `max(${reach})`]
  const powers = dialect.powers(u, BIN_POWERS - 1, `${prefix}u_`)
  const groups = await query(lets, [...items, ...sums, powers], `${k}, ${bin}`)
  const total = (at: number, some = groups): number => some.reduce((sum, group) => sum + group[at]!, 0)
  const certain = groups.filter((group) => group[1] === end + 1)
  const count = groups.reduce((most, group) => Math.max(most, group[0]! + 1), 2)
  const shells = Array.from({ length: count }, (_, shell) => groups.filter((group) => group[0] === shell))
  const farthest = groups.reduce((most, group) => Math.max(most, group[8]!), 1)
  return {
    rows: total(2),
    bins: {
      least: Math.ceil(Math.log(farthest) / Math.log(countShells.growth)),
      shells: Float64Array.from(shells, (some) => total(2, some) - total(3, some)),
      core: total(3),
      bins: shells.map((some) =>
        binsOf(
          some.filter((group) => group[1]! <= end),
          end,
        ),
      ),
      logDensities: total(7),
      certain: { rows: total(2, certain), loss: total(6, certain) },
      loss: total(6),
    },
  }
}

function binsOf(groups: readonly (readonly number[])[], end: number): LossBins {
  const inside = groups.filter((group) => group[1]! < end)
  const first = inside.reduce((least, group) => Math.min(least, group[1]!), end)
  const last = inside.reduce((most, group) => Math.max(most, group[1]!), first - 1)
  const sums = new Float64Array((last - first + 1) * BIN_POWERS)
  for (const [, bin = 0, count = 0, , , , , , , ...powers] of inside)
    sums.set([count, ...powers], (bin - first) * BIN_POWERS)
  return {
    least: groups.reduce((least, group) => Math.min(least, group[4]!), Number.POSITIVE_INFINITY),
    most: groups.reduce((most, group) => Math.max(most, group[5]!), Number.NEGATIVE_INFINITY),
    first: inside.length === 0 ? 0 : first,
    sums,
    beyond: groups.reduce((sum, group) => sum + (group[1] === end ? group[2]! : 0), 0),
  }
}
