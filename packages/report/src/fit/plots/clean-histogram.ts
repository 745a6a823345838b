import * as Plot from '@observablehq/plot'
import type { PlotDocument } from '../../figure.js'
import { svgText } from '../../svg.js'
import { tickFormat } from '../numbers.js'
import { count } from '../points.js'
import { compact, HEIGHT, MOST_BESIDE, margins, WIDTH } from './dots.js'

/** Bars of the histogram: the page's script marks those below its threshold. */
export const CLEAN_BINS = 50

/** How many rows there are for each probability of being good, by how many lie below each hundredth. Few bad rows are seen beside many good ones: heights are roots. */
export function cleanHistogram(
  below: readonly number[],
  rows: number,
  label: string,
  threshold: number,
  document: PlotDocument,
): string {
  const per = (below.length - 1) / CLEAN_BINS
  const before = (k: number): number => (k === CLEAN_BINS ? rows : below[per * k]!)
  const counts = Array.from({ length: CLEAN_BINS }, (_, k) => before(k + 1) - before(k))
  const bars = counts.map((count, k) => ({ x1: k / CLEAN_BINS, x2: (k + 1) / CLEAN_BINS, count }))
  const most = Math.max(...counts)
  const svg = svgText(
    document,
    {
      id: 'clean',
      title: `How many rows there are by ${label}`,
      description: `${counts.slice(0, CLEAN_BINS / 2).reduce((a, b) => a + b, 0)} rows lie below one half.`,
    },
    {
      width: WIDTH,
      height: HEIGHT,
      ...margins,
      x: { domain: [0, 1], label },
      y: { type: 'sqrt', domain: [0, most] },
      marks: [
        Plot.gridY({ ticks: countTicks(most), className: 'grid' }),
        Plot.axisX({ ticks: 5, label, labelAnchor: 'center', labelArrow: 'none', labelOffset: 38 }),
        Plot.axisY(countTicks(most), {
          label: 'rows (square-root scale)',
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 72,
          tickFormat: tickFormat([most], MOST_BESIDE) ?? count,
        }),
        Plot.rectY(bars, {
          x1: 'x1',
          x2: 'x2',
          y1: 0,
          y2: 'count',
          insetLeft: 0.5,
          insetRight: 0.5,
          className: 'bars',
        }),
        Plot.ruleY([0]),
        Plot.ruleX([threshold], { className: 'threshold', strokeDasharray: '4 3' }),
      ],
    },
    'page',
  )
  return compact(svg)
}

/** 0, and round numbers that a root leaves apart. */
function countTicks(most: number): number[] {
  const wanted = [0, most / 36, most / 9, most / 3.2, most]
  const round = (value: number): number => {
    if (value < 1) return value <= 0 ? 0 : 1
    const size = 10 ** Math.floor(Math.log10(value))
    return Math.floor(value / size) * size
  }
  return [...new Set(wanted.map(round))]
}
