import * as Plot from '@observablehq/plot'
import { jitter } from './dots.js'
import { at, type Drawn, residualOf, type View, view } from './view.js'

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
