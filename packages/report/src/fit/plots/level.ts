import * as Plot from '@observablehq/plot'
import type { PlotDocument } from '../../figure.js'
import { svgText } from '../../svg.js'
import { percent } from '../numbers.js'
import { compact, WIDTH } from './dots.js'

/** The share of bad rows as a point with its interval, on a line from none to where both have room. */
export function levelPlot(
  level: number,
  interval: readonly [number, number] | undefined,
  document: PlotDocument,
): string {
  const high = Math.min(1, Math.max(0.05, 1.35 * Math.max(level, interval?.[1] ?? 0)))
  const title = `Share of bad rows: ${percent(level)}${interval === undefined ? '' : `, 90 % interval ${percent(interval[0])} to ${percent(interval[1])}`}`
  const svg = svgText(
    document,
    { id: 'level', title },
    {
      width: WIDTH,
      height: 92,
      marginLeft: 16,
      marginRight: 24,
      marginTop: 34,
      marginBottom: 30,
      x: { domain: [0, high], label: null, tickFormat: (value: number) => percent(value), ticks: 5 },
      y: { domain: [-1, 1], axis: null },
      marks: [
        Plot.axisX({ ticks: 5, tickFormat: (value: number) => percent(value), label: null }),
        Plot.rect([{}], { x1: 0, x2: high, y1: -0.42, y2: 0.42, rx: 6, fill: 'var(--track)' }),
        ...(interval === undefined
          ? []
          : [
              Plot.rect([{}], {
                x1: interval[0],
                x2: interval[1],
                y1: -0.42,
                y2: 0.42,
                fill: 'var(--bad)',
                fillOpacity: 0.28,
              }),
            ]),
        Plot.rect([{}], {
          x1: 0,
          x2: level,
          y1: -0.42,
          y2: 0.42,
          rx: 6,
          fill: 'var(--bad)',
          fillOpacity: 0.35,
        }),
        Plot.dot([{}], { x: level, y: 0, r: 7, fill: 'var(--bad)', stroke: 'var(--paper)', strokeWidth: 2 }),
        Plot.text([{}], {
          x: level,
          y: 0,
          dy: -24,
          text: () => percent(level),
          fontWeight: 700,
          fontSize: 15,
        }),
      ],
    },
    'page',
  )
  return compact(svg)
}
