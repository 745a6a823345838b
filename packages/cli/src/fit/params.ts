import type { ByFeature, Fitted, Interval, TableFit } from '@rlvi/estimator'
import { brief, fromTo, grid, like, orZero, significant, widthOf, withError } from '../terminal/layout.js'

const MOST_COEFFICIENTS = 60

/** What a person may ask for. */
export interface ParamsOptions {
  /** Odds ratios, or of counts rate ratios. */
  readonly odds?: boolean
  /** Signs that a line may have. */
  readonly width?: number | undefined
}

/** The parameters of a fit as a table, with all that is known of how far they can be trusted. */
export function paramsGrid(fit: TableFit, options: ParamsOptions = {}): string {
  const { model, design } = fit
  const { names } = design
  const { fitted } = model
  // The errors have the shape of the model's own parameters, which the type cannot say.
  const errors = fit.standardErrors as Shape<number> | undefined
  const { width } = options
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const known = fit.intervals as Shape<Interval> | undefined
      const ml = fit.ml as Shape<number> | undefined
      const { intercept, coefficients } = sizes(fit)
      const lines = [
        line(
          'intercept',
          orZero(fitted.params.intercept, intercept),
          errors?.intercept,
          known?.intercept,
          ml?.intercept && orZero(ml.intercept, intercept),
        ),
        ...names.map((name, j) => {
          const plain = ml?.coefficients?.[name] as number | undefined
          return line(
            name,
            orZero(fitted.params.coefficients[j]!, coefficients[j]!),
            errors?.coefficients?.[name] as number | undefined,
            known?.coefficients?.[name] as Interval | undefined,
            plain && orZero(plain, coefficients[j]!),
          )
        }),
      ]
      const scale = fitted.model === 'linear' ? [scaleLine(fitted.params.scale, ml?.scale)] : []
      return listed(columnsOf(lines, fitted.model, options.odds ?? false, scale), width)
    }
    case 'softmax':
      return listed(softmaxColumns(fit, fitted.params), width)
    case 'mean': {
      const { mean, scale } = fitted.params
      const known = fit.intervals as { readonly mean: readonly Interval[] } | undefined
      const ml = (fit.ml as { readonly mean: readonly number[] } | undefined)?.mean
      const lines = names.map((name, j) =>
        line(name, orZero(mean[j]!, scale[j]!), errors?.mean?.[j], known?.mean[j], ml?.[j]),
      )
      const [first, value, ...more] = columnsOf(lines, 'mean', false, [])
      const spreads: Column = { header: 'scale', cells: scale.map((s) => significant(s, 3)) }
      return listed([first!, { ...value!, header: 'mean' }, spreads, ...more], width)
    }
    case 'covariance': {
      const { mean, covariance } = fitted.params
      const sd = covariance.map((row, j) => Math.sqrt(row[j]!))
      return listed(
        [
          { header: '', cells: names },
          { header: 'mean', cells: mean.map((m, j) => brief(orZero(m, sd[j]!))) },
          ...covariance.map((row, k) => ({
            header: names[k]!,
            cells: row.map((value, j) => brief(orZero(value, sd[j]! * sd[k]!))),
          })),
        ],
        width,
      )
    }
    case 'pca': {
      const { mean, components, variances } = fitted.params
      return listed(
        [
          { header: '', cells: [...names, 'variance'] },
          { header: 'mean', cells: [...mean.map(brief), ''] },
          ...components.map((component, c) => ({
            header: `component ${c + 1}`,
            cells: [...component.map((value) => brief(orZero(value, 1))), brief(variances[c]!)],
          })),
        ],
        width,
      )
    }
  }
}

/** Class by class as other models, where they are few enough to be read; else side by side, without intervals. */
function softmaxColumns(
  fit: TableFit,
  params: Extract<Fitted, { model: 'softmax' }>['params'],
): readonly Column[] {
  const { intercepts } = params
  // A label may hardly ever be right: beside the same coefficient of others its own is rounding.
  const largest = (j: number): number => Math.max(...params.coefficients.map((own) => Math.abs(own[j]!)))
  const coefficients = params.coefficients.map((own) =>
    Array.from(own, (value, j) => orZero(value, largest(j))),
  )
  const { names } = fit.design
  const classes = fit.response?.classes ?? []
  const errors = fit.standardErrors as Shape<number> | undefined
  const known = fit.intervals as Shape<Interval> | undefined
  const ml = fit.ml as Shape<number> | undefined
  if (classes.length * (names.length + 2) > MOST_COEFFICIENTS) {
    const columns = classes.map((label, k): Column => {
      const own = errors?.coefficients?.[label] as ByFeature | undefined
      const pairs = [
        withError(intercepts[k]!, errors?.intercepts?.[label]),
        ...names.map((name, j) => withError(coefficients[k]![j]!, own?.[name])),
      ]
      return { header: label, cells: joined(pairs) }
    })
    return [{ header: '', cells: ['intercept', ...names] }, ...columns]
  }
  const of = <T>(all: Shape<T> | undefined, label: string): Readonly<Record<string, T>> =>
    (all?.coefficients?.[label] ?? {}) as Readonly<Record<string, T>>
  const lines = classes.flatMap((label, k) => [
    { name: label },
    line(
      '  intercept',
      intercepts[k]!,
      errors?.intercepts?.[label],
      known?.intercepts?.[label],
      ml?.intercepts?.[label],
    ),
    ...names.map((name, j) =>
      line(
        `  ${name}`,
        coefficients[k]![j]!,
        of(errors, label)[name],
        of(known, label)[name],
        of(ml, label)[name],
      ),
    ),
  ])
  return columnsOf(lines, 'softmax', false, [])
}

interface Shape<T> {
  readonly intercept?: T
  readonly intercepts?: Readonly<Record<string, T>>
  readonly coefficients?: Readonly<Record<string, T | Readonly<Record<string, T>>>>
  readonly mean?: readonly T[]
  readonly scale?: T
}

interface Column {
  readonly header: string
  readonly cells: readonly string[]
}

/** All that is said of one parameter. */
interface Line {
  readonly name: string
  /** None for a line that is the heading of others. */
  readonly value?: number
  readonly error?: number | undefined
  readonly interval?: Interval | undefined
  readonly ml?: number | undefined
  /** A parameter that no ratio is made of. */
  readonly isScale?: boolean
}

function line(
  name: string,
  value: number,
  error: number | undefined,
  interval: Interval | undefined,
  ml: number | undefined,
): Line {
  return { name, value, error, interval, ml }
}

function scaleLine(value: number, ml: number | undefined): Line {
  return { name: 'scale', value, ml, isScale: true }
}

/** How large parameters are that matter: beside them, rounding is nothing. */
function sizes({ design, model: { fitted } }: TableFit): { intercept: number; coefficients: number[] } {
  const { scale, centre } = design.units
  const given = 'coefficients' in fitted.params ? (fitted.params.coefficients as readonly number[]) : []
  const effects = given.map((value, j) => Math.abs(value) * scale[j]!)
  const shifts = given.map((value, j) => Math.abs(value * centre[j]!))
  const largest = Math.max(...effects)
  return { intercept: Math.max(largest, ...shifts), coefficients: Array.from(scale, (s) => largest / s) }
}

/** Names, values with errors, and of what is known: intervals, ratios, and what there would be without protection. */
function columnsOf(
  lines: readonly Line[],
  model: string,
  odds: boolean,
  last: readonly Line[],
): readonly Column[] {
  const all = [...lines, ...last]
  const pairs = all.map(({ value, error, isScale }) => {
    if (value === undefined) return ['', ''] as const
    return isScale ? ([significant(value, 3), ''] as const) : withError(value, error)
  })
  const column = (header: string, cell: (line: Line, i: number) => string): Column => ({
    header,
    cells: all.map(cell),
  })
  const out: Column[] = [column('', ({ name }) => name), { header: 'estimate', cells: joined(pairs) }]
  if (all.some(({ interval }) => interval !== undefined))
    out.push(
      column('90 % interval', ({ interval }, i) =>
        interval === undefined ? '' : fromTo(...interval, pairs[i]![0]),
      ),
    )
  if (odds) {
    const isRatio = ({ name, isScale }: Line): boolean => !isScale && name !== 'intercept'
    out.push(
      column(model === 'poisson' ? 'rate ratio' : 'odds ratio', (one) =>
        isRatio(one) ? significant(Math.exp(one.value!), 3) : '',
      ),
    )
    if (all.some(({ interval }) => interval !== undefined))
      out.push(
        column('90 % interval', (one) => {
          if (one.interval === undefined || !isRatio(one)) return ''
          const [low, high] = one.interval
          return `${significant(Math.exp(low), 3)} to ${significant(Math.exp(high), 3)}`
        }),
      )
  }
  if (all.some(({ ml }) => ml !== undefined))
    out.push(column('without protection', ({ ml }, i) => (ml === undefined ? '' : beside(ml, pairs[i]![0]))))
  return out
}

/** As many decimals as the estimate has, so that a difference is one; but no fewer digits than say something. */
function beside(ml: number, estimate: string): string {
  const [few, many] = [significant(ml, 3), like(ml, estimate)]
  return ml === 0 || Number(many) === 0 || few.length > many.length ? few : many
}

/** Values and errors as one column: values end in line, errors begin in line. */
function joined(pairs: readonly (readonly [string, string])[]): string[] {
  const value = Math.max(...pairs.map(([text]) => widthOf(text)))
  const error = Math.max(...pairs.map(([, text]) => widthOf(text)))
  if (error === 0) return pairs.map(([text]) => text)
  return pairs.map(([text, off]) => `${text.padStart(value)}  ${off.padEnd(error)}`)
}

/** Columns of values with a name for each line, and a header where there is more than one to say what they are. */
function listed(columns: readonly Column[], width: number | undefined): string {
  const lines = columns[0]!.cells
  const rows = lines.map((_, i) => columns.map(({ cells }) => cells[i]!))
  const left = rows.length - MOST_COEFFICIENTS
  const shown = rows.slice(0, MOST_COEFFICIENTS)
  const more = left > 0 ? `… and ${left} more: --json has all\n` : ''
  const header = columns.length > 2 ? columns.map((column) => column.header) : undefined
  return grid(header, shown, { width }) + more
}
