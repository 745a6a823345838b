import type { TableFit } from '@rlvi/estimator'
import { cleanName } from '../words.js'
import { apartView } from './apart-view.js'
import { componentView, labelsAt } from './component-view.js'
import { jitter } from './dots.js'
import { centres, fits, shapeOf } from './fits.js'
import { span } from './span.js'
import {
  at,
  type Drawn,
  featureOf,
  ownParams,
  plainParams,
  residualOf,
  trusted,
  type View,
  view,
} from './view.js'

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
  const apart = cols > 2 && fit.response === undefined ? apartView(drawn) : undefined
  if (cols > 2) return [componentView(drawn), ...(apart === undefined ? [] : [apart])]
  if (cols === 2) return [pairView(drawn)]
  return [model === 'linear' || model === 'poisson' ? curveView(drawn) : stripView(drawn)]
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
    caption: `The rows, coloured by ${cleanName(fit)}, with the fit to the good ones and the fit that trusts all of them.`,
    x,
    y,
    xLabel: name!,
    xFormat: dateFormat(fit, 0),
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
    xFormat: dateFormat(fit, j),
    yLabel: `effect on ${fit.response!.name}`,
    over: fits(line(plainParams(plain).coefficients[j]!), line(slope)),
  })
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
    xFormat: dateFormat(fit, 0),
    yLabel: '',
    over: response === undefined ? centres(fit, plain) : [],
    yTicks: strips.length === 0 ? [{ at: 0, text: '' }] : strips.map((text, place) => ({ at: place, text })),
  })
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
    caption: `The rows, coloured by ${cleanName(fit)}${fit.response === undefined ? ', with the model of the good ones and the one that trusts all of them (dashed)' : fit.response.classes === undefined ? '' : ', and the labels in the middle of their good rows'}.`,
    x,
    y,
    xLabel: first!,
    xFormat: dateFormat(fit, 0),
    yLabel: `${second}${firstDay(fit, 1) === undefined ? '' : `, days since ${firstDay(fit, 1)}`}`,
    over: fit.response === undefined ? fits(shapeOf(plain.fitted, x), own) : labelsAt(drawn, x, y),
    // A line goes on beyond the plot; a ring is to be seen.
    also: own.length > 2 ? own : [],
  })
}

/** The day from which the days of a column of dates count. */
function firstDay(fit: TableFit, j: number): string | undefined {
  const dates = fit.model.features.flatMap((encoding) =>
    encoding.kind === 'number' ? [encoding.date] : encoding.values.map(() => undefined),
  )
  const date = dates[j]
  return date?.part === 'days' && 'from' in date ? date.from : undefined
}

const DAY = 86_400_000

/** Days as dates. */
function dateFormat(fit: TableFit, j: number): ((days: number) => string) | undefined {
  const from = Date.parse(firstDay(fit, j) ?? '')
  if (Number.isNaN(from)) return undefined
  return (days) => new Date(Math.round(from / DAY + days) * DAY).toISOString().slice(0, 10)
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
