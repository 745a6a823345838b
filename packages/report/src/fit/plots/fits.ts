import * as Plot from '@observablehq/plot'
import type { PlainFit, TableFit } from '@rlvi/estimator'
import { PLAIN, ROBUST } from './dots.js'

/** Both fits as lines. */
export function fits(plain: readonly object[], robust: readonly object[]): Plot.Markish[] {
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

/** The mean of the good rows, and of all. */
export function centres(fit: TableFit, plain: PlainFit): Plot.Markish[] {
  const of = ({ params }: PlainFit['fitted']): { x: number; y: number }[] =>
    'mean' in params ? [-0.5, 0.5].map((y) => ({ x: params.mean[0]!, y })) : []
  return fits(of(plain.fitted), of(fit.model.fitted))
}

/** Where 97.5 % of normal rows lie, in two dimensions. */
const RADIUS = 2.716

/** What the model says of two columns: an ellipse of the covariance, a line along the component, a ring about the mean. */
export function shapeOf(fitted: PlainFit['fitted'], x: readonly number[]): { x: number; y: number }[] {
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
