import * as Plot from '@observablehq/plot'
import type { TraceStep } from 'rlvi'
import type { PlotDocument } from '../../figure.js'
import { svgText } from '../../svg.js'
import { evenly } from '../points.js'
import { compact, margins, WIDTH } from './dots.js'

const MOST_STEPS = 400

/** The bound from iteration to iteration. */
export function tracePlot(trace: readonly TraceStep[], document: PlotDocument): string {
  const steps = trace.map(({ bound }, k) => ({ step: k + 1, bound }))
  const shown = evenly(
    steps.filter(({ bound }) => Number.isFinite(bound)),
    MOST_STEPS,
  )
  const svg = svgText(
    document,
    { id: 'trace', title: `The bound over ${trace.length} iterations` },
    {
      width: WIDTH,
      height: 260,
      ...margins,
      marginLeft: 72,
      x: { label: 'iteration', ticks: Math.min(6, steps.length) },
      y: { label: 'bound', nice: true },
      marks: [
        Plot.gridY({ ticks: 5, className: 'grid' }),
        Plot.axisX({
          ticks: Math.min(6, steps.length),
          tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : ''),
          label: 'iteration',
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 38,
        }),
        Plot.axisY({ ticks: 5, label: 'bound', labelAnchor: 'center', labelArrow: 'none', labelOffset: 66 }),
        Plot.lineY(shown, { x: 'step', y: 'bound', stroke: 'var(--robust)', strokeWidth: 2 }),
        Plot.dot(evenly(shown, 40), { x: 'step', y: 'bound', r: 2.6, fill: 'var(--robust)' }),
      ],
    },
    'page',
  )
  return compact(svg)
}
