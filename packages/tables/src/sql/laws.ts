import type { LinearParams, Params } from 'rlvi'
import {
  type CellTerms,
  type DensityTerms,
  type Growth,
  growthTerms,
  type LawTerms,
  type LawUse,
  lawTerms,
  type PassLaw,
  type PassModel,
} from 'rlvi/passes'
import { choose, type Let, minus, number } from './dialect.js'
import { offsetSql, predictorSql, type RowsSql, type ValueSql } from './models.js'

/** How far a row lies off, in units of its own scale where that follows the prediction; and that scale. */
export interface ScaledOffset extends ValueSql {
  readonly scale: string | undefined
}

export function scaledOffsetSql<P extends Params>(
  { name }: PassModel<P>,
  params: P,
  growth: Growth | undefined,
  rows: RowsSql,
  tag: string,
): ScaledOffset {
  const { lets, sql } = offsetSql(name, params, rows, tag)
  if (growth === undefined || name !== 'linear') return { lets, sql, scale: undefined }
  const { rate, mean, deviation, middle, most } = growthTerms(growth)
  const { dialect, prefix } = rows
  const { sql: eta } = predictorSql(params as unknown as LinearParams, rows, tag)
  const t = `(${eta} - ${number(mean)}) / ${number(deviation)}`
  const within = dialect.greatest(number(-most), dialect.least(number(most), t))
  const scale: Let = [`${prefix}scale${tag}`, `exp(${number(rate)} * (${within} - ${number(middle)}))`]
  const own: Let = [`${prefix}scaled${tag}`, `${sql} / ${scale[0]}`]
  return { lets: [...lets, scale, own], sql: own[0], scale: scale[0] }
}

/** What a law says of a row: P(good), its weight in the fit, or its information. */
export function lawSql<P extends Params>(
  model: PassModel<P>,
  params: P,
  law: PassLaw,
  use: LawUse,
  rows: RowsSql,
): ValueSql {
  const terms = lawTerms(law)
  const { lets, sql, scale } = scaledOffsetSql(model, params, law.growth, rows, 'w')
  const { dialect, prefix } = rows
  const per = scale === undefined || use === 'clean' ? '' : ` / (${scale} * ${scale})`
  const value = dialect.bind(sql, `${prefix}v`, (v) => {
    const clean = cleanSql(terms, v, rows)
    if (use === 'clean') return clean
    return use === 'fit' ? fitSql(terms, v, clean) : informationSql(terms, v, clean, rows)
  })
  return { lets: [...lets, [`${prefix}law`, `${value}${per}`]], sql: `${prefix}law` }
}

function cleanSql({ level, good, cells, cluster }: LawTerms, v: string, rows: RowsSql): string {
  if (level === 0) return number(1)
  const { dialect, prefix } = rows
  const elsewhere = dialect.entry(cells.densities, cellSql(cells, v, rows))
  const there =
    cluster === undefined ? '' : ` + ${number(cluster.height)} * ${bellSql(v, cluster.centre, cluster.width)}`
  return dialect.bind(densitySql(good, v, rows), `${prefix}good`, (g) =>
    choose(`${g} > ${number(0)}`, `${g} / (${g} + ${elsewhere}${there})`, number(0)),
  )
}

function bellSql(v: string, centre: number, width: number): string {
  const u = `((${v} - ${number(centre)}) / ${number(width)})`
  return `exp(${number(-0.5)} * ${u} * ${u})`
}

function densitySql(
  { logHeight, mode, above, below, tails }: DensityTerms,
  v: string,
  rows: RowsSql,
): string {
  const { dialect, prefix } = rows
  const off = `(${v} - ${number(mode)})`
  const side = choose(
    `${off} < ${number(0)}`,
    `${minus(off)} * ${number(below)}`,
    `${off} * ${number(above)}`,
  )
  return dialect.bind(side, `${prefix}side`, (u) => {
    if (tails === 'normal') return `exp(${number(logHeight)} - ${number(0.5)} * ${u} * ${u})`
    if ('power' in tails)
      return `exp(${number(logHeight)} - ${number(0.5)} * pow(${u}, ${number(tails.power)}))`
    const spread = dialect.ln(`${number(1)} + ${u} * ${u} / ${number(tails.nu)}`)
    return `exp(${number(logHeight)} - ${number(tails.half)} * ${spread})`
  })
}

/** The number of a cell, as a double; 0 lies in the core. */
function cellSql({ unit, octaves, core, tied, most }: CellTerms, v: string, rows: RowsSql): string {
  const { dialect, prefix } = rows
  const below = `${v} < ${number(0)}`
  // log2(0) is an error to some.
  const size = dialect.greatest(`abs(${v})`, number(Number.MIN_VALUE * 2 ** 52))
  const octave = `ceil(${dialect.log2(`${size} / ${number(unit)}`)} / ${number(octaves)})`
  const steps = `${octave} - ${choose(below, number(core[1]), number(core[0]))}`
  const least = choose(below, number(tied[1] ? 1 : 0), number(tied[0] ? 1 : 0))
  const shell = dialect.bind(steps, `${prefix}steps`, (s) =>
    choose(`${s} > ${number(0)}`, dialect.least(s, number(most)), least),
  )
  return `(${number(2)} * ${shell} + ${choose(below, number(1), number(0))})`
}

function fitSql({ far }: LawTerms, v: string, clean: string): string {
  if (far === undefined) return clean
  const u = `(${v} / ${number(far.scale)})`
  return `${clean} * ${number(far.top)} / (${number(far.nu)} + ${u} * ${u})`
}

function informationSql({ place }: LawTerms, v: string, clean: string, rows: RowsSql): string {
  const { dialect, prefix } = rows
  const score =
    'pull' in place
      ? `${number(place.pull)} * ${v} / (${number(place.width)} + ${v} * ${v})`
      : `(${v} - ${number(place.mean)}) / ${number(place.variance)}`
  return dialect.bind(clean, `${prefix}clean`, (c) => {
    const lost = dialect.bind(score, `${prefix}score`, (s) => `${s} * ${s}`)
    return `${c} * (${number(place.information)} - (${number(1)} - ${c}) * ${lost})`
  })
}
