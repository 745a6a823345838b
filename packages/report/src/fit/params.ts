import type { Interval, PlainFit, TableFit } from '@rlvi/estimator'
import { type Html, html, markup } from '../html.js'
import { digits, digitsOf, ends } from './numbers.js'

/** A parameter in both fits. */
interface Line {
  readonly name: string
  readonly robust: number
  readonly plain: number
  readonly robustInterval?: Interval | undefined
  readonly plainInterval?: Interval | undefined
}

/** Parameters that are listed; `--json` has all. */
const MOST_LINES = 80

/** The robust fit beside the one that trusts every row, a line for each parameter, with a picture of both intervals. */
export function paramsTable(fit: TableFit, plain: PlainFit): Html {
  const lines = linesOf(fit, plain)
  const hasIntervals = lines.some(({ robustInterval }) => robustInterval !== undefined)
  const rows = lines.slice(0, MOST_LINES).map(
    (line) => html`<tr><th scope="row">${line.name}</th>
<td class="number strong">${estimate(line.robust, line.robustInterval)}</td>${hasIntervals && cell(line.robustInterval)}
<td class="number plain">${estimate(line.plain, line.plainInterval)}</td>${hasIntervals && cell(line.plainInterval)}
<td class="forest">${forest(line)}</td></tr>`,
  )
  const interval = html`<th scope="col" class="number">90 % interval</th>`
  const more = lines.length - MOST_LINES
  return html`<div class="table" tabindex="0" role="region" aria-label="Parameters of both fits"><table class="params">
<thead><tr><th scope="col"></th><th scope="col" class="number">good rows</th>${hasIntervals && interval}<th scope="col" class="number">all rows trusted</th>${hasIntervals && interval}<th scope="col"><span class="key robust">good rows</span> <span class="key plain">all rows</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>
${more > 0 && html`<p class="note">${more} more parameters are in the output of --json.</p>`}`
}

function estimate(value: number, interval: Interval | undefined): string {
  return digits(value, interval === undefined ? 4 : digitsOf(Math.abs(value), interval[1] - interval[0], 4))
}

function cell(interval: Interval | undefined): Html {
  return html`<td class="number soft">${interval === undefined ? '' : ends(interval)}</td>`
}

interface Shape<T> {
  readonly intercept?: T
  readonly intercepts?: Readonly<Record<string, T>>
  readonly coefficients?: Readonly<Record<string, T | Readonly<Record<string, T>>>>
  readonly mean?: readonly T[]
}

function linesOf(fit: TableFit, plain: PlainFit): Line[] {
  const { names } = fit.design
  const own = fit.model.fitted
  const other = plain.fitted
  const known = fit.intervals as Shape<Interval> | undefined
  // Where the robust fit cannot say how far it can be trusted, the other can even less.
  const plainKnown = known === undefined ? undefined : (plain.intervals as Shape<Interval> | undefined)
  switch (own.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const theirs = other.params as typeof own.params
      const lines: Line[] = [
        {
          name: 'intercept',
          robust: own.params.intercept,
          plain: theirs.intercept,
          robustInterval: known?.intercept,
          plainInterval: plainKnown?.intercept,
        },
        ...names.map((name, j) => ({
          name,
          robust: own.params.coefficients[j]!,
          plain: theirs.coefficients[j]!,
          robustInterval: known?.coefficients?.[name] as Interval | undefined,
          plainInterval: plainKnown?.coefficients?.[name] as Interval | undefined,
        })),
      ]
      if (own.model === 'linear' && other.model === 'linear')
        lines.push({ name: 'scale of the residuals', robust: own.params.scale, plain: other.params.scale })
      return lines
    }
    case 'softmax': {
      const theirs = other.params as typeof own.params
      const of = (shape: Shape<Interval> | undefined, label: string, name: string): Interval | undefined =>
        (shape?.coefficients?.[label] as Readonly<Record<string, Interval>> | undefined)?.[name]
      return (fit.response?.classes ?? []).flatMap((label, k) => [
        {
          name: `${label}: intercept`,
          robust: own.params.intercepts[k]!,
          plain: theirs.intercepts[k]!,
          robustInterval: known?.intercepts?.[label],
          plainInterval: plainKnown?.intercepts?.[label],
        },
        ...names.map((name, j) => ({
          name: `${label}: ${name}`,
          robust: own.params.coefficients[k]![j]!,
          plain: theirs.coefficients[k]![j]!,
          robustInterval: of(known, label, name),
          plainInterval: of(plainKnown, label, name),
        })),
      ])
    }
    case 'mean': {
      const theirs = other.params as typeof own.params
      return names.flatMap((name, j) => [
        {
          name: `mean of ${name}`,
          robust: own.params.mean[j]!,
          plain: theirs.mean[j]!,
          robustInterval: known?.mean?.[j],
          plainInterval: plainKnown?.mean?.[j],
        },
        { name: `scale of ${name}`, robust: own.params.scale[j]!, plain: theirs.scale[j]! },
      ])
    }
    case 'covariance': {
      const ours = own.params
      const theirs = other.params as typeof ours
      const line = (name: string, of: (params: typeof ours) => number): Line => ({
        name,
        robust: of(ours),
        plain: of(theirs),
      })
      const sd = (params: typeof ours, j: number): number => Math.sqrt(params.covariance[j]![j]!)
      return [
        ...names.map((name, j) => line(`mean of ${name}`, (params) => params.mean[j]!)),
        ...names.map((name, j) => line(`standard deviation of ${name}`, (params) => sd(params, j))),
        ...names.flatMap((name, j) =>
          names
            .slice(0, j)
            .map((before, k) =>
              line(
                `correlation of ${before} and ${name}`,
                (params) => params.covariance[j]![k]! / (sd(params, j) * sd(params, k)),
              ),
            ),
        ),
      ]
    }
    case 'pca': {
      const theirs = other.params as typeof own.params
      return own.params.components.flatMap((component, c) => {
        // A direction has no sign: theirs is turned to ours.
        const product = component.reduce((sum, value, j) => sum + value * theirs.components[c]![j]!, 0)
        const sign = product < 0 ? -1 : 1
        return [
          ...names.map((name, j) => ({
            name: `component ${c + 1}: ${name}`,
            robust: component[j]!,
            plain: sign * theirs.components[c]![j]!,
          })),
          {
            name: `component ${c + 1}: variance`,
            robust: own.params.variances[c]!,
            plain: theirs.variances[c]!,
          },
        ]
      })
    }
  }
}

const WIDE = 160
/** A picture is at least as wide as this share of the larger estimate. */
const SMALL = 0.1

/** Both estimates with their intervals on a line of their own; 0 is marked where it is on it. */
function forest({ robust, plain, robustInterval, plainInterval }: Line): Html {
  const values = [robust, plain, ...(robustInterval ?? []), ...(plainInterval ?? [])].filter(Number.isFinite)
  let [low, high] = [Math.min(...values), Math.max(...values)]
  // 0 is worth showing where it is not far.
  if (low > 0 && low < 0.6 * (high - low)) low = 0
  if (high < 0 && -high < 0.6 * (high - low)) high = 0
  // Nobody is to see a difference in what rounding leaves.
  const least = SMALL * Math.max(...values.map(Math.abs))
  if (high - low < least) {
    const middle = (low + high) / 2
    ;[low, high] = [middle - least / 2, middle + least / 2]
  }
  const wide = high - low || 1
  const at = (value: number): string => (8 + ((WIDE - 16) * (value - low)) / wide).toFixed(1)
  const line = (kind: string, y: number, value: number, interval: Interval | undefined): string =>
    `${interval === undefined ? '' : `<line class="${kind}" x1="${at(interval[0])}" x2="${at(interval[1])}" y1="${y}" y2="${y}"/>`}<circle class="${kind}" cx="${at(value)}" cy="${y}" r="4"/>`
  const zero = low <= 0 && high >= 0 ? `<line class="zero" x1="${at(0)}" x2="${at(0)}" y1="0" y2="28"/>` : ''
  return markup(
    `<svg width="${WIDE}" height="28" viewBox="0 0 ${WIDE} 28" aria-hidden="true">${zero}${line('plain', 20, plain, plainInterval)}${line('robust', 9, robust, robustInterval)}</svg>`,
  )
}
