import * as Plot from '@observablehq/plot'
import { flagBelow, type PlainFit, type TableFit } from '@rlvi/estimator'
import { type Matrix, matrix, pca } from 'rlvi'
import type { PlotDocument } from '../../figure.js'
import { percent } from '../numbers.js'
import type { Points } from '../points.js'
import { clipped, type DotPlot, dotPlot, jitter, PLAIN, ROBUST } from './dots.js'
import { span } from './span.js'

/** A plot with its words. */
export interface View {
  readonly title: string
  readonly svg: string
  readonly caption: string
}

/** What views are drawn of. */
export interface Drawn {
  readonly fit: TableFit
  readonly plain: PlainFit
  readonly points: Points
  readonly document: PlotDocument
}

/** Features of a linear model that have a picture of their own. */
const MOST_PARTIAL = 4

/** The data as the model sees them: by one feature where there is one, else by its most telling features and its components. */
export function dataViews(drawn: Drawn): View[] {
  const { fit } = drawn
  const { cols } = fit.design.x
  const { model } = fit.model.fitted
  if (model === 'linear' && cols > 1) {
    const partial = telling(fit).slice(0, MOST_PARTIAL)
    const views = partial.map((j) => partialView(drawn, j))
    return cols > 2 ? [...views, componentView(drawn)] : views
  }
  if (cols > 2) return [componentView(drawn)]
  if (cols === 2) return [pairView(drawn)]
  return [model === 'linear' || model === 'poisson' ? curveView(drawn) : stripView(drawn)]
}

/** What the model leaves unexplained, against what it expects; of labels the probability of the one that is given. */
export function residualView(drawn: Drawn): View {
  const { fit, points } = drawn
  const { model } = fit.model.fitted
  if (fit.response === undefined) return lossView(drawn)
  if (fit.response.classes !== undefined) return labelView(drawn, fit.response.classes)
  const residual = residualOf(fit)
  const [x, y] = [at(points, (i) => fit.predicted![i]!), at(points, residual)]
  const name = fit.response.name
  const kind = model === 'poisson' ? 'residual, in standard deviations' : 'residual'
  return view(drawn, {
    id: 'residuals',
    title: 'Residuals against predictions',
    caption:
      'Good rows scatter about 0, whatever is predicted. A bend or a funnel would speak against the model.',
    x,
    y,
    xLabel: `predicted ${name}`,
    yLabel: kind,
    under: [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.55 })],
  })
}

/** The same along the file: what went wrong for a while lies together. */
export function orderView(drawn: Drawn): View | undefined {
  const { fit, points } = drawn
  if (fit.response === undefined) return undefined
  const isLabel = fit.response.classes !== undefined
  return view(drawn, {
    id: 'order',
    title: 'Along the file',
    caption: 'Bad rows that lie side by side have a cause in common: a sensor, a clerk, a day.',
    x: at(points, (i) => fit.rows[i]! + 1),
    y: at(points, isLabel ? (i) => Math.exp(-fit.losses[i]!) : residualOf(fit)),
    xLabel: 'row of the file (from 1)',
    yLabel: isLabel ? 'P(given label)' : 'residual',
    under: isLabel ? [] : [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.55 })],
  })
}

function residualOf({ model, response, predicted }: TableFit): (i: number) => number {
  const counts = model.fitted.model === 'poisson'
  return (i) => (response!.y[i]! - predicted![i]!) / (counts ? Math.sqrt(predicted![i]!) : 1)
}

function labelView(drawn: Drawn, classes: readonly string[]): View {
  const { fit, points } = drawn
  const { y } = fit.response!
  return view(drawn, {
    id: 'residuals',
    title: 'How probable each given label is',
    caption:
      'A line for each label. Rows on the left have a label that the model, learned from the good rows, does not expect.',
    x: at(points, (i) => Math.exp(-fit.losses[i]!)),
    y: at(points, (i) => y[i]! + 0.62 * jitter(i)),
    xLabel: 'P(given label)',
    yLabel: 'given label',
    yTicks: classes.map((text, place) => ({ at: place, text })),
    wholeX: [0, 1],
  })
}

function lossView(drawn: Drawn): View {
  const { fit, points } = drawn
  return view(drawn, {
    id: 'residuals',
    title: 'How badly each row fits, along the file',
    caption: 'The loss of each row. Bad rows that lie side by side have a cause in common.',
    x: at(points, (i) => fit.rows[i]! + 1),
    y: at(points, (i) => fit.losses[i]!),
    xLabel: 'row of the file (from 1)',
    yLabel: 'loss',
  })
}

/** Target against the one feature, with both fits. */
function curveView(drawn: Drawn): View {
  const { fit, plain, points } = drawn
  const [name] = fit.design.names
  const x = at(points, (i) => featureOf(fit, i, 0))
  const y = at(points, (i) => fit.response!.y[i]!)
  const { domain } = span(x, trusted(drawn))
  const counts = fit.model.fitted.model === 'poisson'
  const curve = (params: {
    intercept: number
    coefficients: readonly number[]
  }): { x: number; y: number }[] =>
    Array.from({ length: counts ? 60 : 2 }, (_, k) => {
      const at = domain[0] + ((domain[1] - domain[0]) * k) / (counts ? 59 : 1)
      const value = params.intercept + params.coefficients[0]! * at
      return { x: at, y: counts ? Math.exp(value) : value }
    })
  return view(drawn, {
    id: 'data',
    title: `${fit.response!.name} against ${name}`,
    caption:
      'The rows, coloured by P(good), with the fit to the good ones and the fit that trusts all of them.',
    x,
    y,
    xLabel: name!,
    yLabel: fit.response!.name,
    over: fits(curve(plainParams(plain)), curve(ownParams(fit))),
  })
}

/** Component and residual: the target less what all other features say. */
function partialView(drawn: Drawn, j: number): View {
  const { fit, plain, points } = drawn
  const name = fit.design.names[j]!
  const slope = ownParams(fit).coefficients[j]!
  const residual = residualOf(fit)
  const x = at(points, (i) => featureOf(fit, i, j))
  const good = trusted(drawn)
  const inside = x.filter((_, k) => good(k))
  const centre = inside.reduce((sum, value) => sum + value, 0) / Math.max(1, inside.length)
  const y = at(points, (i) => slope * (featureOf(fit, i, j) - centre) + residual(i))
  const { domain } = span(x, good)
  const line = (b: number): { x: number; y: number }[] =>
    domain.map((at) => ({ x: at, y: b * (at - centre) }))
  return view(drawn, {
    id: `partial-${j + 1}`,
    title: `What ${name} does to ${fit.response!.name}`,
    caption:
      'The other features held at rest (component and residual). The dashed line is the effect if all rows are trusted.',
    x,
    y,
    xLabel: name,
    yLabel: `effect on ${fit.response!.name}`,
    over: fits(line(plainParams(plain).coefficients[j]!), line(slope)),
  })
}

function fits(plain: readonly object[], robust: readonly object[]): Plot.Markish[] {
  return [
    Plot.line(plain, {
      x: 'x',
      y: 'y',
      stroke: PLAIN,
      strokeWidth: 2,
      strokeDasharray: '6 4',
      clip: true,
      className: 'fit-plain',
    }),
    Plot.line(robust, {
      x: 'x',
      y: 'y',
      stroke: ROBUST,
      strokeWidth: 2.4,
      clip: true,
      className: 'fit-robust',
    }),
  ]
}

/** One column: its values, side by side; of labels a strip for each. */
function stripView(drawn: Drawn): View {
  const { fit, plain, points } = drawn
  const [name] = fit.design.names
  const { response } = fit
  const strips = response?.classes ?? []
  return view(drawn, {
    id: 'data',
    title: response === undefined ? `The values of ${name}` : `${response.name} by ${name}`,
    caption: 'Each row is a point; its height within a strip means nothing.',
    x: at(points, (i) => featureOf(fit, i, 0)),
    y: at(points, (i) => (response === undefined ? 0 : response.y[i]!) + 0.7 * jitter(i)),
    xLabel: name!,
    yLabel: '',
    over: response === undefined ? centres(fit, plain) : [],
    yTicks: strips.length === 0 ? [{ at: 0, text: '' }] : strips.map((text, place) => ({ at: place, text })),
  })
}

/** The mean of the good rows, and of all. */
function centres(fit: TableFit, plain: PlainFit): Plot.Markish[] {
  const of = ({ params }: PlainFit['fitted']): { x: number; y: number }[] =>
    'mean' in params ? [-0.5, 0.5].map((y) => ({ x: params.mean[0]!, y })) : []
  return fits(of(plain.fitted), of(fit.model.fitted))
}

/** Two columns as they are. */
function pairView(drawn: Drawn): View {
  const { fit, plain, points } = drawn
  const [first, second] = fit.design.names
  const x = at(points, (i) => featureOf(fit, i, 0))
  const y = at(points, (i) => featureOf(fit, i, 1))
  const own = shapeOf(fit.model.fitted, x)
  return view(drawn, {
    id: 'data',
    title: `${second} against ${first}`,
    caption: `The rows, coloured by P(good)${fit.response === undefined ? ', with the model of the good ones and the one that trusts all of them (dashed)' : ', and the labels in the middle of their good rows'}.`,
    x,
    y,
    xLabel: first!,
    yLabel: second!,
    over: fit.response === undefined ? fits(shapeOf(plain.fitted, x), own) : labelsAt(drawn, x, y),
    // A line goes on beyond the plot; a ring is to be seen.
    also: own.length > 2 ? own : [],
  })
}

/** Where 97.5 % of normal rows lie, in two dimensions. */
const RADIUS = 2.716

/** What the model says of two columns: an ellipse of the covariance, a line along the component, a ring about the mean. */
function shapeOf(fitted: PlainFit['fitted'], x: readonly number[]): { x: number; y: number }[] {
  if (fitted.model === 'mean') {
    const { mean, scale } = fitted.params
    return ring((u, v) => ({ x: mean[0]! + scale[0]! * u, y: mean[1]! + scale[1]! * v }))
  }
  if (fitted.model === 'covariance') {
    const { mean, covariance } = fitted.params
    const [a, b, c] = [covariance[0]![0]!, covariance[0]![1]!, covariance[1]![1]!]
    const l = Math.sqrt(a)
    const m = b / l
    const n = Math.sqrt(Math.max(0, c - m * m))
    return ring((u, v) => ({ x: mean[0]! + l * u, y: mean[1]! + m * u + n * v }))
  }
  if (fitted.model !== 'pca') return []
  const { mean, components } = fitted.params
  const [u, v] = [components[0]![0]!, components[0]![1]!]
  const far = x.reduce((most, value) => Math.max(most, Math.abs(value - mean[0]!)), 0)
  const reach = (2 * far) / Math.max(Math.abs(u), 0.05)
  return [-reach, reach].map((t) => ({ x: mean[0]! + t * u, y: mean[1]! + t * v }))
}

function ring(at: (u: number, v: number) => { x: number; y: number }): { x: number; y: number }[] {
  return Array.from({ length: 73 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 72
    return at(RADIUS * Math.cos(angle), RADIUS * Math.sin(angle))
  })
}

/** The two directions in which the good rows' features scatter most, each in units of its own spread. */
function componentView(drawn: Drawn): View {
  const { fit, points } = drawn
  const { names, x } = fit.design
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
    title: 'All features at once',
    caption: `The two directions in which the good rows differ most (principal components of the features, each in units of its spread): ${share(0)} and ${share(1)} of the whole.${step > 0 ? ' Rows of one place are moved apart a little.' : ''}`,
    x: first,
    y: second,
    xLabel: `component 1, mostly ${clipped(mostly(0), 26)}`,
    yLabel: `component 2, mostly ${clipped(mostly(1), 26)}`,
    over: labelsAt(drawn, first, second),
  })
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

/** Labels, each in the middle of its good rows. */
function labelsAt({ fit, points }: Drawn, x: readonly number[], y: readonly number[]): Plot.Markish[] {
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
    Plot.text(names, {
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

/** Features that are numbers, those with the largest effect first. */
function telling(fit: TableFit): number[] {
  const { units, names } = fit.design
  const isNumber = fit.model.features.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
  const { coefficients } = ownParams(fit)
  const effect = (j: number): number => Math.abs(coefficients[j]! * units.scale[j]!)
  return names
    .map((_, j) => j)
    .filter((j) => isNumber[j])
    .sort((a, b) => effect(b) - effect(a))
}

interface Asked extends Omit<DotPlot, 'dots' | 'domain' | 'description'> {
  readonly caption: string
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly wholeX?: readonly [number, number]
  /** What the axes must have room for, too. */
  readonly also?: readonly { readonly x: number; readonly y: number }[]
}

function view(drawn: Drawn, { caption, x, y, wholeX, also = [], ...plot }: Asked): View {
  const { fit, points, document } = drawn
  const good = trusted(drawn)
  const spanOf = (values: readonly number[], more: readonly number[]): ReturnType<typeof span> =>
    span([...values, ...more], (k) => k >= values.length || good(k))
  const spanX = spanOf(
    x,
    also.map((point) => point.x),
  )
  const spanY = spanOf(
    y,
    also.map((point) => point.y),
  )
  const dots = Array.from(points.places, (i, k) => ({ x: x[k]!, y: y[k]!, clean: fit.clean[i]! }))
  const { yTicks } = plot
  const domain = {
    x: wholeX ?? spanX.domain,
    y: yTicks === undefined ? spanY.domain : ([yTicks.length - 0.4, -0.6] as const),
  }
  const beyond = (wholeX === undefined ? spanX.beyond : 0) + (yTicks === undefined ? spanY.beyond : 0)
  const edge =
    beyond === 0
      ? ''
      : ` ${beyond === 1 ? 'One point lies' : `${beyond} points lie`} far beyond and ${beyond === 1 ? 'is' : 'are'} drawn at the edge.`
  const svg = dotPlot({ ...plot, description: caption, dots, domain }, document)
  return { title: plot.title, svg, caption: caption + edge }
}

function trusted({ fit, points }: Drawn): (k: number) => boolean {
  return (k) => fit.clean[points.places[k]!]! >= flagBelow
}

function at({ places }: Points, value: (i: number) => number): number[] {
  return Array.from(places, value)
}

/** A feature in the units of the table. */
export function featureOf({ design: { x, units } }: TableFit, i: number, j: number): number {
  return x.values[i * x.cols + j]! * units.scale[j]! + units.centre[j]!
}

interface LinearParams {
  readonly intercept: number
  readonly coefficients: readonly number[]
}

function ownParams({ model }: TableFit): LinearParams {
  return model.fitted.params as LinearParams
}

function plainParams({ fitted }: PlainFit): LinearParams {
  return fitted.params as LinearParams
}
