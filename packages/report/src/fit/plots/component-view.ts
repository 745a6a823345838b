import * as Plot from '@observablehq/plot'
import type { TableFit } from '@rlvi/estimator'
import { type Matrix, matrix, pca } from 'rlvi'
import { percent } from '../numbers.js'
import { clipped, jitter } from './dots.js'
import { type Drawn, type View, view } from './view.js'

/** The two directions in which the good rows' features scatter most, each in units of its own spread. */
export function componentView(drawn: Drawn): View {
  const { fit, points } = drawn
  const { names, x } = measured(fit, points.places)
  const weights = Float64Array.from(points.places, (i) => fit.clean[i]!)
  const part = scaled(x, points.places, weights)
  const model = pca({ components: 2 })
  const params = model.fit({ x: part.values }, weights)
  const { scores } = model.project(part.values, params)
  const share = (k: number): string => percent(params.variances[k]! / part.varying)
  const mostly = (k: number): string => {
    const loads = names.map((name, j) => ({
      name,
      size: Math.abs(params.components.values[k * x.cols + j]!),
    }))
    loads.sort((a, b) => b.size - a.size)
    return loads
      .slice(0, 2)
      .map(({ name }) => name)
      .join(', ')
  }
  const own = Array.from(points.places, (_, k) => k)
  // Categories put many rows on one point.
  const apart = new Set(own.map((k) => `${scores.values[2 * k]} ${scores.values[2 * k + 1]}`)).size
  const step = apart < own.length / 2 ? 0.12 : 0
  const first = own.map((k) => scores.values[2 * k]! + step * jitter(k))
  const second = own.map((k) => scores.values[2 * k + 1]! + step * jitter(k + 7919))
  return view(drawn, {
    id: 'components',
    title: x.cols < fit.design.x.cols ? 'All numbers at once' : 'All features at once',
    caption: `The two directions in which the good rows differ most (principal components of ${x.cols < fit.design.x.cols ? 'the features that are numbers' : 'the features'}, each in units of its spread): ${share(0)} and ${share(1)} of the whole.${step > 0 ? ' Rows of one place are moved apart a little.' : ''}`,
    x: first,
    y: second,
    xLabel: `component 1, mostly ${clipped(mostly(0), 26)}`,
    yLabel: `component 2, mostly ${clipped(mostly(1), 26)}`,
    over: labelsAt(drawn, first, second),
  })
}

/**
 * The columns of the design to look at: those of numbers, where there are two of them. In units of their spread indicators would
 * be most of the picture, which then shows nothing but which categories there are.
 */
function measured(
  { design: { names, x } }: TableFit,
  places: Int32Array,
): Pick<TableFit['design'], 'names' | 'x'> {
  const isIndicator = (j: number): boolean =>
    places.every((i) => x.values[i * x.cols + j] === 0 || x.values[i * x.cols + j] === 1)
  const kept = names.flatMap((_, j) => (isIndicator(j) ? [] : [j]))
  if (kept.length < 2 || kept.length === x.cols) return { names, x }
  const out = matrix(x.rows, kept.length)
  for (let i = 0; i < x.rows; i++)
    for (const [k, j] of kept.entries()) out.values[i * kept.length + k] = x.values[i * x.cols + j]!
  return { names: kept.map((j) => names[j]!), x: out }
}

/** The drawn rows with columns of weighted mean 0 and variance 1; how many of them vary. */
function scaled(x: Matrix, places: Int32Array, weights: Float64Array): { values: Matrix; varying: number } {
  const out = matrix(places.length, x.cols)
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  let varying = 0
  for (let j = 0; j < x.cols; j++) {
    const value = (k: number): number => x.values[places[k]! * x.cols + j]!
    const mean = weights.reduce((sum, weight, k) => sum + weight * value(k), 0) / total
    const sd = Math.sqrt(weights.reduce((sum, weight, k) => sum + weight * (value(k) - mean) ** 2, 0) / total)
    if (sd > 0) varying++
    for (let k = 0; k < places.length; k++) out.values[k * x.cols + j] = sd > 0 ? (value(k) - mean) / sd : 0
  }
  return { values: out, varying: Math.max(1, varying) }
}

/** So many names stand below each other over the height of a plot. */
const LINES = 14

/** Names that would stand on one another, moved up: those that lie as near as a line is high. */
function apart<T extends { readonly x: number; readonly y: number }>(
  names: readonly T[],
  y: readonly number[],
): T[] {
  const high =
    (y.reduce((a, b) => Math.max(a, b), -Infinity) - y.reduce((a, b) => Math.min(a, b), Infinity)) / LINES
  const out: T[] = []
  for (const name of names.toSorted((a, b) => a.y - b.y)) {
    const below = out.at(-1)?.y ?? -Infinity
    out.push({ ...name, y: Math.max(name.y, below + high) })
  }
  return out
}

/** Labels, each in the middle of its good rows. */
export function labelsAt({ fit, points }: Drawn, x: readonly number[], y: readonly number[]): Plot.Markish[] {
  const { response, clean } = fit
  const { classes } = response ?? {}
  if (response === undefined || classes === undefined || classes.length > 12) return []
  const names = classes.flatMap((text, place) => {
    let [total, sumX, sumY] = [0, 0, 0]
    points.places.forEach((i, k) => {
      if (response.y[i] !== place) return
      total += clean[i]!
      sumX += clean[i]! * x[k]!
      sumY += clean[i]! * y[k]!
    })
    return total > 0 ? [{ x: sumX / total, y: sumY / total, text: clipped(text, 18) }] : []
  })
  return [
    Plot.text(apart(names, y), {
      x: 'x',
      y: 'y',
      text: 'text',
      fontSize: 14,
      fontWeight: 700,
      stroke: 'var(--card)',
      strokeWidth: 4,
      fill: 'currentColor',
      className: 'names',
    }),
  ]
}
