import { flagBelow, type PlainFit, type TableFit } from '@rlvi/estimator'
import type { PlotDocument } from '../../figure.js'
import type { Points } from '../points.js'
import { type DotPlot, dotPlot } from './dots.js'
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

interface Asked extends Omit<DotPlot, 'dots' | 'domain' | 'description'> {
  readonly caption: string
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly wholeX?: readonly [number, number]
  /** What the axes must have room for, too. */
  readonly also?: readonly { readonly x: number; readonly y: number }[]
}

export function view(drawn: Drawn, { caption, x, y, wholeX, also = [], ...plot }: Asked): View {
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

export function trusted({ fit, points }: Drawn): (k: number) => boolean {
  return (k) => fit.clean[points.places[k]!]! >= flagBelow
}

export function at({ places }: Points, value: (i: number) => number): number[] {
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

export function ownParams({ model }: TableFit): LinearParams {
  return model.fitted.params as LinearParams
}

export function plainParams({ fitted }: PlainFit): LinearParams {
  return fitted.params as LinearParams
}

export function residualOf({ model, response, predicted }: TableFit): (i: number) => number {
  const counts = model.fitted.model === 'poisson'
  return (i) => (response!.y[i]! - predicted![i]!) / (counts ? Math.sqrt(predicted![i]!) : 1)
}
