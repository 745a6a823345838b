import * as Plot from '@observablehq/plot'
import type { FigureText, PlotDocument } from './figure.js'
import { svgText, TITLE_HEIGHT } from './svg.js'

/** One box: the five numbers and the mean of a sample. */
export interface Box {
  /** Below the box; a line break separates the name from what qualifies it. */
  readonly label: string
  readonly min: number
  readonly q25: number
  readonly median: number
  readonly q75: number
  readonly max: number
  readonly mean: number
  /** How many values lie above the range that is shown. */
  readonly above?: number
}

/** What a box plot shows. */
export interface BoxPlot extends FigureText {
  readonly yLabel: string
  readonly boxes: readonly Box[]
  /** The part of the axis to show; default: all. */
  readonly range?: readonly [number, number]
  readonly width?: number
  readonly height?: number
}

const BLUE = '#3b74b4'
const RED = '#d62f2f'

/**
 * Box plots in the paper's form: a box from quartile to quartile, whiskers to the smallest and the largest value, the
 * median as a line, the mean as a red dot. What lies above the range is counted over its box, not hidden.
 *
 * @example
 * const boxes = [{ label: 'RLVI', min: 0.1, q25: 0.2, median: 0.25, q75: 0.3, max: 0.6, mean: 0.27 }]
 * const svg = boxPlot({ id: 'errors', title: 'Errors', yLabel: 'relative error', boxes }, svgDocument())
 */
export function boxPlot(spec: BoxPlot, document: PlotDocument): string {
  const { boxes } = spec
  const low = spec.range?.[0] ?? 0
  const high = spec.range?.[1] ?? 1.05 * Math.max(...boxes.map((box) => box.max))
  const within = (value: number): boolean => value >= low && value <= high
  const clamp = (value: number): number => Math.min(Math.max(value, low), high)
  const whiskers = boxes.flatMap(({ label, min, q25, q75, max }) => [
    { label, from: clamp(min), to: clamp(q25) },
    { label, from: clamp(q75), to: clamp(max) },
  ])
  const ends = boxes.flatMap(({ label, min, max }) =>
    [min, max].filter(within).map((value) => ({ label, value })),
  )
  const gone = boxes.filter((box) => (box.above ?? 0) > 0)

  return svgText(document, spec, {
    width: spec.width ?? Math.max(420, 110 + 92 * boxes.length),
    height: spec.height ?? 400,
    marginTop: TITLE_HEIGHT + 22,
    marginBottom: 54,
    marginLeft: 84,
    marginRight: 20,
    x: { type: 'band', domain: boxes.map((box) => box.label), label: null, padding: 0.44 },
    y: { domain: [low, high], label: spec.yLabel, labelAnchor: 'center', labelArrow: 'none', nice: false },
    marks: [
      Plot.gridY({ ticks: 4, strokeOpacity: 0.14 }),
      Plot.axisY({
        ticks: 4,
        label: spec.yLabel,
        labelAnchor: 'center',
        labelArrow: 'none',
        labelOffset: 66,
      }),
      Plot.axisX({ tickSize: 0, tickPadding: 9, lineHeight: 1.25, label: null }),
      Plot.ruleY([low]),
      Plot.ruleX(whiskers, {
        x: 'label',
        y1: 'from',
        y2: 'to',
        strokeDasharray: '4 3',
        strokeOpacity: 0.75,
        className: 'whiskers',
      }),
      Plot.tickY(ends, { x: 'label', y: 'value', insetLeft: 11, insetRight: 11, className: 'ends' }),
      // Clipped, not cut: a box that goes on beyond the axis has no edge there.
      Plot.barY(boxes, {
        x: 'label',
        y1: 'q25',
        y2: 'q75',
        fill: BLUE,
        fillOpacity: 0.16,
        stroke: BLUE,
        strokeWidth: 1.4,
        clip: true,
        className: 'boxes',
      }),
      Plot.tickY(
        boxes.filter((box) => within(box.median)),
        { x: 'label', y: 'median', stroke: RED, strokeWidth: 1.8, className: 'medians' },
      ),
      Plot.dot(
        boxes.filter((box) => within(box.mean)),
        { x: 'label', y: 'mean', r: 4.5, fill: RED, className: 'means' },
      ),
      // A mean beyond the range is an open triangle at its edge.
      Plot.dot(
        boxes.filter((box) => box.mean > high),
        {
          x: 'label',
          y: high,
          symbol: 'triangle',
          r: 5,
          stroke: RED,
          strokeWidth: 1.6,
          className: 'means-above',
        },
      ),
      Plot.text(gone, {
        x: 'label',
        y: high,
        text: (box: Box) => `${box.above} above`,
        dy: -17,
        fontSize: 11.5,
        fillOpacity: 0.75,
        className: 'above',
      }),
    ],
  })
}
