import {
  type Continuous,
  type CovarianceParams,
  type LinearParams,
  type Matrix,
  matrix,
  type Params,
  phrase,
  RlviError,
  type SoftmaxParams,
  type Supervised,
} from 'rlvi'
import {
  type Aggregates,
  BIN_POWERS,
  BINS_PER_UNIT,
  binGrid,
  type CountAggregates,
  covarianceTerms,
  FARTHEST,
  type LossBins,
  type Moments,
  type MomentsAsked,
  type NewtonAsked,
  type NewtonSums,
  type OffsetBins,
  type OffsetsAsked,
  type PassModel,
  type RowWeights,
  type ShellBins,
  type ShellsAsked,
  withDispersion,
} from 'rlvi/passes'
import { shellBinsBySql } from './counts.js'
import { choose, type Dialect, type Let, minus, number } from './dialect.js'
import { scaledOffsetSql } from './laws.js'
import { classesSql, lossSql, predictorSql, type RowsSql, type ValueSql } from './models.js'
import { inQueries, MOST_SUMS, type Piece } from './pieces.js'
import { weightSql } from './weights.js'

/** A value that a database answers with; null for what is no number. */
export type Answer = number | string | null | readonly (number | null)[]

/** The rows of a design in a database. */
export interface SqlRows {
  readonly dialect: Dialect
  /** What stands behind FROM. */
  readonly from: string
  /** Which rows count. */
  readonly where: string
  /** What names of ours begin with: no column does. */
  readonly prefix: string
  /** The columns of the design. */
  readonly x: readonly string[]
  /** The response; of labels their place among the classes. Left out where there is none. */
  readonly y?: string
  /** How many rows count: another number in any scan is an error. */
  readonly rows: number
  /** Nearly the mean of each column. */
  readonly centre: Float64Array
  ask(sql: string): Promise<readonly (readonly Answer[])[]>
}

/** Names of ours for what a design has, and what they stand for. */
export function namesOf({ dialect, prefix, x, y }: SqlRows): {
  readonly names: RowsSql
  readonly lets: readonly Let[]
} {
  const names = { dialect, prefix, x: x.map((_, j) => `${prefix}x${j}`), y: `${prefix}y` }
  const own = x.map((sql, j): Let => [names.x[j]!, sql])
  return { names, lets: y === undefined ? own : [...own, [names.y, y]] }
}

/** An answer from part of the rows is none. */
export function checkRows({ rows }: Pick<SqlRows, 'rows'>, found: number): void {
  if (found === rows) return
  const todo = 'did the table change, or is a part of it out of reach? try again'
  throw new RlviError('scan', `all ${rows} rows are needed`, phrase(`${found} rows`), todo)
}

/** The sums that a fit needs, by SQL where the rows are: nothing else travels. */
export function sqlAggregates<P extends Params>(model: PassModel<P>, table: SqlRows): Aggregates<P> {
  const sums = new SqlSums(model, table)
  const all: Aggregates<P> = {
    rows: table.rows,
    cols: table.x.length,
    centre: table.centre,
    losses: (params) => sums.losses(params),
    moments: (ask) => sums.moments(ask),
    newton: (ask) => sums.newton(ask),
    offsets: (ask) => sums.offsets(ask),
    information: (params, weights) => sums.information(params, weights),
  }
  if (model.name !== 'poisson') return all
  return { ...all, counted: (dispersion) => countAggregates(withDispersion(model, dispersion), table) }
}

/** Counts, under a law of some dispersion. */
function countAggregates<P extends Params>(model: PassModel<P>, table: SqlRows): CountAggregates<P> {
  const sums = new SqlSums(model, table)
  return { ...sqlAggregates(model, table), model, shells: (ask) => sums.shells(ask) }
}

class SqlSums<P extends Params> {
  private readonly rows: number
  private readonly cols: number
  private readonly centre: Float64Array
  private readonly model: PassModel<P>
  private readonly table: SqlRows
  private readonly names: RowsSql
  private readonly base: readonly Let[]

  constructor(model: PassModel<P>, table: SqlRows) {
    this.model = model
    this.table = table
    this.rows = table.rows
    this.cols = table.x.length
    this.centre = table.centre
    const { names, lets } = namesOf(table)
    this.names = names
    this.base = lets
  }

  async losses(params: P): Promise<LossBins> {
    const floor =
      this.model.name === 'covariance' ? covarianceTerms(params as unknown as CovarianceParams).constant : 0
    const bins = await this.lossesAbove(floor, params)
    // Losses are at least `floor`; where all are far above it, the bins begin there.
    return bins.least - floor > FARTHEST && Number.isFinite(bins.most)
      ? await this.lossesAbove(bins.least, params)
      : bins
  }

  private async lossesAbove(floor: number, params: P): Promise<LossBins> {
    const { dialect, prefix } = this.table
    const [l, place, bin, u] = ['l', 'place', 'bin', 'u'].map((name) => `${prefix}${name}`) as [
      string,
      string,
      string,
      string,
    ]
    const loss = lossSql(this.model, params, this.names, '')
    // All that is beyond any reach is one group, so that there are never more than some thousands.
    const end = Math.floor((floor + 2 * FARTHEST) * BINS_PER_UNIT)
    const lets: Let[] = [
      ...loss.lets,
      [l, loss.sql],
      [place, `(${l}) * ${number(BINS_PER_UNIT)}`],
      [bin, choose(`${place} < ${number(end)}`, `floor(${place})`, number(end))],
      [u, `(${number(2)} * (${place} - ${bin}) - ${number(1)})`],
    ]
    const powers = dialect.powers(u, BIN_POWERS - 1, `${prefix}u_`)
    const odd = `sum(${choose(dialect.isNaN(l), number(1), number(0))})`
    const items = [dialect.whole(bin), 'count(*)', `min(${l})`, `max(${l})`, odd, powers]
    const groups = (await this.query(lets, items, bin)).map((row) => row.flatMap(numbersOf))
    checkRows(
      this.table,
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
    let beyond = this.rows
    for (const [k = 0, count = 0, , , , ...own] of inside) {
      sums.set([count, ...own], (k - first) * BIN_POWERS)
      beyond -= count
    }
    return { least, most, first, sums, beyond }
  }

  async moments({ weights, params, squared }: MomentsAsked<P>): Promise<Moments> {
    const { prefix } = this.table
    const { lets: own, sql: weight } = this.weight(weights, squared)
    const z = this.centred(this.centre)
    const isLinear = this.model.name === 'linear'
    const lets = [...own, ...z.lets]
    const columns = [number(1), ...z.names]
    const { y } = this.names
    if (isLinear) {
      const residual = `${prefix}residual`
      const from = params as unknown as LinearParams | undefined
      const eta = from === undefined ? undefined : predictorSql(from, this.names, 'm')
      lets.push(...(eta?.lets ?? []), [residual, eta === undefined ? y : `(${y} - ${eta.sql})`])
      columns.push(residual)
    }
    const squares: Piece[] = isLinear ? [{ lets: [], items: [`sum(${weight} * ${y} * ${y})`], sums: 1 }] : []
    const answers = await this.sums(lets, [...squares, ...this.products(weight, columns, 'm')])
    const all = triangle(answers.slice(squares.length).flat(), columns.length)
    const d = columns.length - 1
    const out = matrix(d, d)
    for (let j = 0; j < d; j++)
      for (let k = 0; k < d; k++) out.values[j * d + k] = all.values[(j + 1) * (d + 1) + k + 1]!
    return {
      weight: all.values[0]!,
      sums: all.values.slice(1, d + 1),
      squares: out,
      responses: isLinear ? numberOf(answers[0]![0]!) : 0,
    }
  }

  async newton({ weights, params, design, squared }: NewtonAsked<P>): Promise<NewtonSums> {
    const { name, intercept, classes } = this.model
    const w = this.weight(weights, squared)
    const z = this.centred(intercept ? this.centre : new Float64Array(this.cols))
    const columns = intercept ? [number(1), ...z.names] : [...z.names]
    const { y } = this.names
    const per = this.derivatives(params, w.sql)
    const lets = [...w.lets, ...z.lets, ...per.lets]
    const labels =
      name === 'poisson'
        ? [`sum(${w.sql} * ${y})`]
        : Array.from({ length: classes }, (_, k) => `sum(${choose(`${y} = ${number(k)}`, w.sql, number(0))})`)
    const pieces: Piece[] = [
      {
        lets: [],
        items: [`sum(${w.sql})`, `sum(${w.sql} * (${per.value}))`, ...labels],
        sums: 2 + labels.length,
      },
    ]
    const parts: { from: number; put: (answers: readonly Answer[]) => void }[] = []
    const add = (own: readonly Piece[], put: (answers: readonly Answer[]) => void): void => {
      parts.push({ from: pieces.length, put })
      pieces.push(...own)
    }
    const wide = columns.length
    const size = per.scores.length * wide
    const gradient = new Float64Array(size)
    const curvature = matrix(size, size)
    let found: Matrix | undefined
    per.scores.forEach((score, k) => {
      const item = this.table.dialect.sums(score, columns, `${this.table.prefix}g${k}`)
      add([{ lets: [], items: [item], sums: wide }], ([sums]) => gradient.set(numbersOf(sums!), k * wide))
    })
    for (const { k, m, weight } of per.curvatures)
      add(this.products(weight, columns, `c${k}_${m}`), (answers) => {
        const block = triangle(answers, wide)
        for (let j = 0; j < wide; j++)
          for (let q = 0; q < wide; q++)
            curvature.values[(k * wide + j) * size + m * wide + q] = block.values[j * wide + q]!
      })
    if (design)
      add(this.products(w.sql, columns, 'd'), (answers) => {
        found = triangle(answers, wide)
      })
    const answers = await this.sums(lets, pieces)
    for (const [k, { from, put }] of parts.entries()) put(answers.slice(from, parts[k + 1]?.from).flat())
    const [weight = 0, value = 0, ...responses] = answers[0]!.map(numberOf)
    return {
      weight,
      value,
      responses: Float64Array.from(responses),
      gradient,
      curvature,
      ...(found === undefined ? {} : { design: found }),
    }
  }

  /** Per row, for each predictor: the loss, w s and w h. */
  private derivatives(
    params: P,
    w: string,
  ): {
    readonly lets: readonly Let[]
    readonly value: string
    readonly scores: readonly string[]
    readonly curvatures: readonly { readonly k: number; readonly m: number; readonly weight: string }[]
  } {
    const { names } = this
    const { y, prefix } = names
    if (this.model.name === 'softmax') {
      const { lets, etas, total } = classesSql(params as unknown as SoftmaxParams, names, 'n')
      const { sql: value } = lossSql(this.model, params, names, 'n')
      const others = etas.slice(1)
      const p = others.map((_, k) => `${prefix}p${k}`)
      const own = p.map((name, k): Let => [name, `exp(${others[k]} - ${total})`])
      const scores = p.map(
        (name, k) => `${w} * (${choose(`${y} = ${number(k + 1)}`, number(1), number(0))} - ${name})`,
      )
      const curvatures = p.flatMap((name, k) =>
        p.slice(0, k + 1).map((other, m) => ({
          k,
          m,
          weight: k === m ? `${w} * ${name} * (${number(1)} - ${name})` : minus(`${w} * ${name} * ${other}`),
        })),
      )
      return { lets: [...lets, ...own], value, scores, curvatures }
    }
    const { lets, sql: eta } = predictorSql(params as unknown as LinearParams, names, 'n')
    if (this.model.name === 'poisson') {
      const { dispersion = 0 } = this.model
      const [rate, spread] = [`${prefix}rate`, `${prefix}spread`]
      if (dispersion === 0)
        return {
          lets: [...lets, [rate, `exp(${eta})`]],
          value: `${rate} - ${y} * ${eta}`,
          scores: [`${w} * (${y} - ${rate})`],
          curvatures: [{ k: 0, m: 0, weight: `${w} * ${rate}` }],
        }
      const a = number(dispersion)
      return {
        lets: [...lets, [rate, `exp(${eta})`], [spread, `(${number(1)} + ${a} * ${rate})`]],
        value: `(${y} + ${number(1 / dispersion)}) * ${names.dialect.ln(spread)} - ${y} * ${eta}`,
        scores: [`${w} * (${y} - ${rate}) / ${spread}`],
        curvatures: [
          { k: 0, m: 0, weight: `${w} * ${rate} / ${spread} * (${number(1)} + ${a} * ${y}) / ${spread}` },
        ],
      }
    }
    const [p, q] = [`${prefix}p`, `${prefix}q`]
    const { sql: value } = lossSql(this.model, params, names, 'n')
    return {
      lets: [...lets, [p, sigmoid(eta)], [q, sigmoid(minus(eta))]],
      value,
      scores: [`${w} * (${y} - ${p})`],
      curvatures: [{ k: 0, m: 0, weight: `${w} * ${p} * ${q}` }],
    }
  }

  async offsets({ params, unit, growth }: OffsetsAsked<P>): Promise<OffsetBins> {
    const { dialect, prefix } = this.table
    const { octaves, perShell, edge, near, far, first } = binGrid(this.dimension(), unit)
    const { lets, sql } = scaledOffsetSql(this.model, params, growth, this.names, '')
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
    const groups = (await this.query(all, [dialect.whole(bin), 'count(*)', `sum(${sql})`], bin))
      .map((row) => row.map(numberOf))
      .sort((a, b) => a[0]! - b[0]!)
    checkRows(
      this.table,
      groups.reduce((total, group) => total + group[1]!, 0),
    )
    return {
      values: Float64Array.from(groups, (group) => group[2]! / group[1]!),
      counts: Float64Array.from(groups, (group) => group[1]!),
    }
  }

  /** Of an offset. */
  private dimension(): number {
    const { name, likelihood } = this.model
    if (name === 'linear') return 1
    const one: Supervised = { x: matrix(1, this.cols), y: new Float64Array(0) }
    return (likelihood as unknown as Continuous<Supervised, P>).dimension(one)
  }

  async information(params: P, weights: RowWeights<P>): Promise<Matrix> {
    const w = this.weight(weights)
    const { x, y, prefix } = this.names
    const columns = this.model.intercept ? [number(1), ...x] : [...x]
    if (this.model.name === 'softmax')
      return await this.classInformation(params as unknown as SoftmaxParams, w)
    const eta = predictorSql(params as unknown as LinearParams, this.names, 'n')
    const [p, h] = [`${prefix}p`, `${prefix}h`]
    const isCount = this.model.name === 'poisson'
    const a = number(this.model.dispersion ?? 0)
    const expected = isCount ? `exp(${eta.sql})` : sigmoid(eta.sql)
    // 1 without a dispersion.
    const spread = isCount ? `(${number(1)} + ${a} * ${p})` : number(1)
    const curvature = isCount
      ? `(${p} / ${spread} * (${number(1)} + ${a} * ${y}) / ${spread})`
      : `(${p} * ${sigmoid(minus(eta.sql))})`
    const off = `((${p} - ${y}) / ${spread})`
    const unsure = `(${number(1)} - ${w.sql}) * ${off} * ${off}`
    const lets: Let[] = [...w.lets, ...eta.lets, [p, expected], [h, `${w.sql} * (${curvature} - ${unsure})`]]
    const answers = await this.sums(lets, this.products(h, columns, 'i'))
    return triangle(answers.flat(), columns.length)
  }

  /** As `information` of `softmax` has it: the rows' part for each two classes, and far more for the shift that all have in common. */
  private async classInformation(params: SoftmaxParams, w: ValueSql): Promise<Matrix> {
    const { intercept, classes: K } = this.model
    const { x, y, prefix } = this.names
    const columns = intercept ? [number(1), ...x] : [...x]
    const { lets, etas, total } = classesSql(params, this.names, 'n')
    const p = etas.map((_, k) => `${prefix}p${k}`)
    const e = etas.map((_, k) => `${prefix}e${k}`)
    const own = etas.flatMap((eta, k): Let[] => [
      [p[k]!, `exp(${eta} - ${total})`],
      [e[k]!, `(${p[k]} - ${choose(`${y} = ${number(k)}`, number(1), number(0))})`],
    ])
    const pairs = etas.flatMap((_, k) => Array.from({ length: k + 1 }, (_, m) => ({ k, m })))
    const pieces: Piece[] = [
      { lets: [], items: [`[${columns.map((c) => `sum(${c} * ${c})`).join(', ')}]`], sums: columns.length },
    ]
    const starts = pairs.map(({ k, m }) => {
      const from = pieces.length
      const both = k === m ? `${p[k]} * (${number(1)} - ${p[k]})` : minus(`${p[k]} * ${p[m]}`)
      const weight = `${w.sql} * (${both} + (${w.sql} - ${number(1)}) * ${e[k]} * ${e[m]})`
      pieces.push(...this.products(weight, columns, `i${k}_${m}`))
      return from
    })
    const answers = await this.sums([...w.lets, ...lets, ...own], pieces)
    const lengths = numbersOf(answers[0]![0]!)
    const wide = columns.length
    const first = intercept ? K : 0
    const size = K * wide
    const out = matrix(size, size)
    const place = (k: number, j: number): number =>
      intercept && j === 0 ? k : first + k * this.cols + j - (intercept ? 1 : 0)
    pairs.forEach(({ k, m }, at) => {
      const block = triangle(answers.slice(starts[at], starts[at + 1]).flat(), wide)
      for (let j = 0; j < wide; j++)
        for (let q = 0; q < wide; q++) {
          const shift = j === q ? (1e6 * lengths[j]!) / (K * K) : 0
          const value = block.values[j * wide + q]! + shift
          out.values[place(k, j) * size + place(m, q)] = value
          out.values[place(m, q) * size + place(k, j)] = value
        }
    })
    return out
  }

  private weight(weights: RowWeights<P>, squared = false): ValueSql {
    const { lets, sql } = weightSql(this.model, weights, this.names)
    if (!squared) return { lets, sql }
    const name = `${this.table.prefix}squared`
    const { dialect, prefix } = this.table
    return { lets: [...lets, [name, dialect.bind(sql, `${prefix}once`, (w) => `${w} * ${w}`)]], sql: name }
  }

  /** The columns less a place, by name. */
  private centred(place: Float64Array): { readonly lets: readonly Let[]; readonly names: readonly string[] } {
    const { prefix } = this.table
    const lets = this.names.x.flatMap((x, j): Let[] =>
      place[j] === 0 ? [] : [[`${prefix}z${j}`, `(${x} - ${number(place[j]!)})`]],
    )
    return { lets, names: this.names.x.map((x, j) => (place[j] === 0 ? x : `${prefix}z${j}`)) }
  }

  /** Weighted sums of all products of two columns, in pieces that are not too large. */
  private products(weight: string, columns: readonly string[], tag: string): Piece[] {
    const { dialect, prefix } = this.table
    const pieces: Piece[] = []
    for (let from = 0; from < columns.length; ) {
      let to = from
      let sums = 0
      do sums += columns.length - to++
      while (to < columns.length && sums + columns.length - to <= MOST_SUMS)
      pieces.push({ ...dialect.products(weight, columns, [from, to], `${prefix}${tag}_${from}_`), sums })
      from = to
    }
    return pieces
  }

  /** The answers to each piece, all from scans of all rows. */
  private async sums(lets: readonly Let[], pieces: readonly Piece[]): Promise<(readonly Answer[])[]> {
    const out: (readonly Answer[])[] = []
    for (const query of inQueries([...this.base, ...lets], pieces)) {
      const items = query.flatMap((piece) => piece.items)
      const [row = []] = await this.query(
        [...lets, ...query.flatMap((piece) => piece.lets)],
        ['count(*)', ...items],
      )
      checkRows(this.table, numberOf(row[0]!))
      let at = 1
      for (const piece of query) {
        out.push(row.slice(at, at + piece.items.length))
        at += piece.items.length
      }
    }
    return out
  }

  async shells(ask: ShellsAsked<P>): Promise<ShellBins> {
    const { bins, rows } = await shellBinsBySql(this.model, ask, this.names, async (...scan) =>
      (await this.query(...scan)).map((row) => row.flatMap(numbersOf)),
    )
    checkRows(this.table, rows)
    return bins
  }

  private async query(
    lets: readonly Let[],
    items: readonly string[],
    groupBy?: string,
  ): Promise<readonly (readonly Answer[])[]> {
    const { dialect, from, where } = this.table
    const all = [...this.base, ...lets]
    return await this.table.ask(
      dialect.select({ from, where, lets: all, items, ...(groupBy === undefined ? {} : { groupBy }) }),
    )
  }
}

function sigmoid(eta: string): string {
  return `${number(1)} / (${number(1)} + exp(${minus(`(${eta})`)}))`
}

/** The symmetric matrix of which row j comes from its diagonal on. */
function triangle(rows: readonly Answer[], size: number): Matrix {
  const out = matrix(size, size)
  rows.forEach((row, j) => {
    numbersOf(row).forEach((value, k) => {
      out.values[j * size + j + k] = value
      out.values[(j + k) * size + j] = value
    })
  })
  return out
}

export function numberOf(value: Answer): number {
  return value === null ? Number.NaN : Number(value)
}

function numbersOf(values: Answer): number[] {
  return Array.isArray(values) ? values.map(numberOf) : [numberOf(values)]
}
