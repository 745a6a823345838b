import * as Plot from '@observablehq/plot'
import type { FigureText, PlotDocument } from './figure.js'
import { svgText, TITLE_HEIGHT } from './svg.js'

/** A point of a curve. */
export interface CurvePoint {
  readonly x: number
  readonly y: number
  /** Half the height of the band about the curve, e.g. a standard error. */
  readonly spread?: number
}

/** One curve, with its name and look. */
export interface Curve {
  readonly label: string
  readonly colour: string
  readonly dashed?: boolean
  readonly points: readonly CurvePoint[]
}

/** What a plot of curves shows. */
export interface CurvePlot extends FigureText {
  readonly xLabel: string
  readonly yLabel: string
  readonly curves: readonly Curve[]
  /** The part of the y axis to show; default: all, from 0. */
  readonly range?: readonly [number, number]
  readonly width?: number
  readonly height?: number
}

const MARGIN_BOTTOM = 52
const LABEL_GAP = 16
/** Room for the names at the right: at least so much, and for long ones as much as their signs take in the widest usual font. */
const LEAST_MARGIN_RIGHT = 150
const SIGN_WIDTH = 8

/**
 * Curves with a band about each, named at their right ends, as the text of an SVG.
 *
 * @example
 * const points = [{ x: 1, y: 0.9 }, { x: 2, y: 0.95 }]
 * const curves = [{ label: 'RLVI', colour: '#2a7fc4', points }]
 * const svg = curvePlot({ id: 'accuracy', title: 'Accuracy', xLabel: 'epoch', yLabel: 'share', curves }, svgDocument())
 */
export function curvePlot(spec: CurvePlot, document: PlotDocument): string {
  const { curves } = spec
  const height = spec.height ?? 430
  const marginTop = TITLE_HEIGHT + 14
  const tops = curves.flatMap((curve) => curve.points.map((point) => point.y + (point.spread ?? 0)))
  const [low, high] = spec.range ?? [0, 1.04 * Math.max(...tops)]
  const perPixel = (high - low) / (height - marginTop - MARGIN_BOTTOM)
  const rows = curves.flatMap(({ label, points }) => points.map((point) => ({ label, ...point })))
  const names = placeLabels(curves, low, high, LABEL_GAP * perPixel)
  const longest = Math.max(0, ...names.map(({ label }) => label.length))
  const shared = { x: 'x', z: 'label', stroke: 'label', clip: true } as const
  const dashed = new Set(curves.filter((curve) => curve.dashed).map((curve) => curve.label))

  return svgText(document, spec, {
    width: spec.width ?? 760,
    height,
    marginTop,
    marginBottom: MARGIN_BOTTOM,
    marginLeft: 84,
    marginRight: Math.max(LEAST_MARGIN_RIGHT, 20 + SIGN_WIDTH * longest),
    x: { label: spec.xLabel, labelAnchor: 'center', labelArrow: 'none' },
    y: { domain: [low, high] },
    color: { domain: curves.map((curve) => curve.label), range: curves.map((curve) => curve.colour) },
    marks: [
      Plot.gridY({ ticks: 7, strokeOpacity: 0.14 }),
      Plot.gridX({ strokeOpacity: 0.14 }),
      Plot.axisY({
        ticks: 7,
        label: spec.yLabel,
        labelAnchor: 'center',
        labelArrow: 'none',
        labelOffset: 66,
      }),
      Plot.axisX({ label: spec.xLabel, labelAnchor: 'center', labelArrow: 'none', labelOffset: 44 }),
      Plot.areaY(
        rows.filter((row) => row.spread !== undefined),
        {
          x: 'x',
          y1: (row: CurvePoint) => row.y - (row.spread ?? 0),
          y2: (row: CurvePoint) => row.y + (row.spread ?? 0),
          fill: 'label',
          z: 'label',
          fillOpacity: 0.13,
          clip: true,
          className: 'bands',
        },
      ),
      Plot.lineY(
        rows.filter((row) => !dashed.has(row.label)),
        { ...shared, y: 'y', strokeWidth: 2.2, className: 'curves' },
      ),
      Plot.lineY(
        rows.filter((row) => dashed.has(row.label)),
        { ...shared, y: 'y', strokeWidth: 2, strokeDasharray: '6 4', className: 'curves-dashed' },
      ),
      Plot.text(names, {
        x: 'x',
        y: 'at',
        text: 'label',
        fill: 'label',
        textAnchor: 'start',
        dx: 10,
        fontWeight: 600,
        className: 'names',
      }),
    ],
  })
}

/** The right end of each curve, moved apart so that names do not overlap. */
function placeLabels(
  curves: readonly Curve[],
  low: number,
  high: number,
  gap: number,
): Array<{ label: string; x: number; at: number }> {
  const names = curves.flatMap(({ label, points }) => {
    const last = points.at(-1)
    return last === undefined ? [] : [{ label, x: last.x, at: Math.min(Math.max(last.y, low), high) }]
  })
  names.sort((a, b) => a.at - b.at)
  for (let sweep = 0; sweep < 200; sweep++) {
    for (let k = 1; k < names.length; k++) {
      const [below, above] = [names[k - 1], names[k]]
      if (below === undefined || above === undefined || above.at - below.at >= gap) continue
      const middle = (above.at + below.at) / 2
      below.at = middle - gap / 2
      above.at = middle + gap / 2
    }
    for (const name of names) name.at = Math.min(Math.max(name.at, low), high)
  }
  return names
}
