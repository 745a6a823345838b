import type { ByFeature, TableFit } from '@rlvi/estimator'
import { brief, grid, significant, withError } from '../terminal/layout.js'

const MOST_COEFFICIENTS = 60

/** The parameters of a fit as a table, with their standard errors where there are any. */
export function paramsGrid({ model, standardErrors, design: { names }, response }: TableFit): string {
  const { fitted } = model
  // The errors have the shape of the model's own parameters, which the type cannot say.
  const errors = standardErrors as Errors | undefined
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const { intercept, coefficients } = fitted.params
      const scale = fitted.model === 'linear' ? [fitted.params.scale] : []
      const lines = [
        withError(intercept, errors?.intercept),
        ...names.map((name, j) => withError(coefficients[j]!, errors?.coefficients?.[name] as number)),
        ...scale.map((value) => [significant(value, 3), ''] as const),
      ]
      return listed(undefined, ['intercept', ...names, 'scale'].slice(0, lines.length), columnsOf(lines))
    }
    case 'softmax': {
      const { intercepts, coefficients } = fitted.params
      const classes = response?.classes ?? []
      const each = classes.map((label, k) => {
        const own = errors?.coefficients?.[label] as ByFeature | undefined
        return [
          withError(intercepts[k]!, errors?.intercepts?.[label]),
          ...names.map((name, j) => withError(coefficients[k]![j]!, own?.[name])),
        ]
      })
      const header = classes.flatMap((label) => [label, ''])
      return listed(header, ['intercept', ...names], each.flatMap(columnsOf))
    }
    case 'mean': {
      const { mean, scale } = fitted.params
      const [values, off] = columnsOf(mean.map((value, j) => withError(value, errors?.mean?.[j])))
      const spreads = scale.map((value) => significant(value, 3))
      return listed(['mean', '', 'scale'], names, [values, off, spreads])
    }
    case 'covariance': {
      const { mean, covariance } = fitted.params
      return listed(['mean', ...names], names, [mean.map(brief), ...covariance.map((row) => row.map(brief))])
    }
    case 'pca': {
      const { mean, components, variances } = fitted.params
      const each = components.map((component, c) => [...component, variances[c]!].map(brief))
      const header = ['mean', ...components.map((_, c) => `component ${c + 1}`)]
      return listed(header, [...names, 'variance'], [[...mean.map(brief), ''], ...each])
    }
  }
}

interface Errors {
  readonly intercept?: number
  readonly intercepts?: ByFeature
  readonly coefficients?: Readonly<Record<string, number | ByFeature>>
  readonly mean?: readonly number[]
}

/** Values and errors as two columns: values end in line, errors begin in line. */
function columnsOf(lines: readonly (readonly [string, string])[]): [string[], string[]] {
  const wide = Math.max(...lines.map(([, error]) => error.length))
  return [lines.map(([value]) => value), lines.map(([, error]) => error.padEnd(wide))]
}

/** Columns of values with a name for each line. */
function listed(
  header: readonly string[] | undefined,
  names: readonly string[],
  columns: readonly (readonly string[])[],
): string {
  const rows = names.map((name, i) => [name, ...columns.map((column) => column[i]!)])
  const left = rows.length - MOST_COEFFICIENTS
  const shown = rows.slice(0, MOST_COEFFICIENTS)
  const more = left > 0 ? `… and ${left} more: --json has all\n` : ''
  return grid(header === undefined ? undefined : ['', ...header], shown) + more
}
