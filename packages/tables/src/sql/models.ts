import type {
  CovarianceParams,
  LinearParams,
  LinearRegressionParams,
  MeanParams,
  Params,
  PcaParams,
  SoftmaxParams,
} from 'rlvi'
import { covarianceTerms, type PassModel } from 'rlvi/passes'
import { choose, type Dialect, dot, type Let, minus, number, sum } from './dialect.js'

/** The rows of a design as SQL. */
export interface RowsSql {
  readonly dialect: Dialect
  /** What names of ours begin with. */
  readonly prefix: string
  /** Names of the columns of the design. */
  readonly x: readonly string[]
  /** Name of the response; of labels their place among the classes. */
  readonly y: string
}

/** A value of each row under a model, and what must be named before. */
export interface ValueSql {
  readonly lets: readonly Let[]
  readonly sql: string
}

const SMALLEST = 1e-100

/** The loss of a row: what `losses` of the model's likelihood computes. */
export function lossSql<P extends Params>(
  { name, dispersion = 0 }: PassModel<P>,
  params: P,
  rows: RowsSql,
  tag: string,
): ValueSql {
  const { dialect, y } = rows
  switch (name) {
    case 'linear': {
      const { lets, sql } = offsetSql(name, params, rows, tag)
      return { lets, sql: dialect.bind(sql, `${rows.prefix}o${tag}`, (v) => `${number(0.5)} * ${v} * ${v}`) }
    }
    case 'mean': {
      const { scale, mean } = params as unknown as MeanParams
      const by = 2 * Math.max(scale ** 2, 1e-300) * mean.length
      const { lets, sql } = squaresOff(mean, rows, tag)
      return { lets, sql: `${sql} / ${number(by)}` }
    }
    case 'covariance': {
      const { lets, sql } = squaredDistance(name, params, rows, tag)
      const { constant } = covarianceTerms(params as unknown as CovarianceParams)
      return { lets, sql: `${number(0.5)} * ${sql} + ${number(constant)}` }
    }
    case 'pca':
      return offComponents(params as unknown as PcaParams, rows, tag)
    case 'logistic': {
      const { lets, sql: eta } = predictorSql(params as unknown as LinearParams, rows, tag)
      const near = dialect.ln(`${number(1)} + exp(${minus(`abs(${eta})`)})`)
      return { lets, sql: `${near} + ${dialect.greatest(eta, number(0))} - ${y} * ${eta}` }
    }
    case 'poisson': {
      const { lets, sql: eta } = predictorSql(params as unknown as LinearParams, rows, tag)
      const factorial = `lgamma(${y} + ${number(1)})`
      if (dispersion === 0) return { lets, sql: `exp(${eta}) - ${y} * ${eta} + ${factorial}` }
      const shape = number(1 / dispersion)
      const spread = dialect.ln(`${number(1)} + ${number(dispersion)} * exp(${eta})`)
      const rising = `(lgamma(${y} + ${shape}) - lgamma(${shape}) + ${y} * ${number(Math.log(dispersion))})`
      return { lets, sql: `(${y} + ${shape}) * ${spread} - ${y} * ${eta} + ${factorial} - ${rising}` }
    }
    case 'softmax': {
      const { lets, etas, total } = classesSql(params as unknown as SoftmaxParams, rows, tag)
      const own = etas.reduceRight((rest, eta, k) =>
        k === etas.length - 1 ? eta : choose(`${y} = ${number(k)}`, eta, rest),
      )
      return { lets, sql: `${total} - ${own}` }
    }
  }
}

/** What a linear predictor says of a row. */
export function predictorSql(
  { intercept, coefficients }: LinearParams,
  { prefix, x }: RowsSql,
  tag: string,
): ValueSql {
  const eta = `${prefix}eta${tag}`
  return { lets: [[eta, dot(coefficients, x, intercept)]], sql: eta }
}

/** The predictors of all classes, and the logarithm of the sum of their exponentials. */
export function classesSql(
  { intercepts, coefficients }: SoftmaxParams,
  { dialect, prefix, x }: RowsSql,
  tag: string,
): { readonly lets: readonly Let[]; readonly etas: readonly string[]; readonly total: string } {
  const d = coefficients.cols
  const etas = Array.from(intercepts, (_, k) => `${prefix}eta${tag}_${k}`)
  const lets = etas.map((eta, k): Let => {
    const own = coefficients.values.subarray(k * d, (k + 1) * d)
    return [eta, dot(own, x, intercepts[k]!)]
  })
  const total = `${prefix}total${tag}`
  return { lets: [...lets, [total, dialect.logSumExp(etas, `${prefix}${tag}`)]], etas, total }
}

/** How far a row lies off, in units of the scale: a residual with its sign, or a distance. */
export function offsetSql<P extends Params>(
  name: PassModel<P>['name'],
  params: P,
  rows: RowsSql,
  tag: string,
): ValueSql {
  if (name !== 'linear') {
    const { lets, sql } = squaredDistance(name, params, rows, tag)
    return { lets, sql: `sqrt(${sql})` }
  }
  const own = params as unknown as LinearRegressionParams
  const { lets, sql: eta } = predictorSql(own, rows, tag)
  const off = `${rows.prefix}off${tag}`
  const residual = `(${rows.y} - ${eta}) / ${number(Math.max(own.scale, SMALLEST))}`
  return { lets: [...lets, [off, residual]], sql: off }
}

function squaredDistance<P extends Params>(
  name: PassModel<P>['name'],
  params: P,
  rows: RowsSql,
  tag: string,
): ValueSql {
  if (name === 'covariance') {
    const own = params as unknown as CovarianceParams
    const { root } = covarianceTerms(own)
    const d = own.mean.length
    const z = less(own.mean, rows)
    const names = z.map((_, j) => `${rows.prefix}off${tag}_${j}`)
    const places = names.map((_, j) => dot(root.subarray(j * d, j * d + j + 1), names.slice(0, j + 1)))
    const off = z.map((sql, j): Let => [names[j]!, sql])
    return rows.dialect.bindAll(off, rows.dialect.sumOfSquares(places, `${rows.prefix}${tag}`))
  }
  const own = params as unknown as MeanParams & PcaParams
  const off = name === 'mean' ? squaresOff(own.mean, rows, tag) : offComponents(own, rows, tag)
  const variance = Math.max(own.scale, SMALLEST) ** 2
  return { lets: off.lets, sql: `${off.sql} / ${number(variance)}` }
}

/** The columns less a place. */
function less(place: Float64Array, { x }: RowsSql): string[] {
  return x.map((column, j) => `(${column} - ${number(place[j]!)})`)
}

function squaresOff(place: Float64Array, rows: RowsSql, tag: string): ValueSql {
  const squares = `${rows.prefix}squares${tag}`
  return {
    lets: [[squares, rows.dialect.sumOfSquares(less(place, rows), `${rows.prefix}${tag}`)]],
    sql: squares,
  }
}

/** What a row loses by projection on the components, column by column: the difference of two squared lengths would be rounding. */
function offComponents({ mean, components }: PcaParams, rows: RowsSql, tag: string): ValueSql {
  const { cols, values } = components
  const z = less(mean, rows)
  const lets = Array.from({ length: components.rows }, (_, c): Let => {
    const own = values.subarray(c * cols, (c + 1) * cols)
    return [`${rows.prefix}along${tag}_${c}`, dot(own, z)]
  })
  const squares = (along: readonly string[]): string => {
    const left = z.map((column, j) => {
      const own = Float64Array.from(along, (_, c) => -values[c * cols + j]!)
      return `(${sum([column, dot(own, along)])})`
    })
    return rows.dialect.sumOfSquares(left, `${rows.prefix}${tag}`)
  }
  // Each place along a component is computed once, and not for every column.
  const bound = (along: readonly string[]): string => {
    const next = lets[along.length]?.[0]
    if (next === undefined) return squares(along)
    return rows.dialect.bind(next, `${next}_once`, (value) => bound([...along, value]))
  }
  const off = `${rows.prefix}rest${tag}`
  return { lets: [...lets, [off, bound([])]], sql: off }
}

/** P(1) of a predictor. */
export function sigmoid(eta: string): string {
  return `${number(1)} / (${number(1)} + exp(${minus(`(${eta})`)}))`
}
