import * as Plot from '@observablehq/plot'
import type { FigureText, PlotDocument } from '../../figure.js'
import { svgText } from '../../svg.js'
import { tickFormat } from '../numbers.js'

/** A row as a point of a plot. */
export interface Dot {
  readonly x: number
  readonly y: number
  /** P(good). */
  readonly clean: number
}

/** A plot of rows, in the order of the report's points: the script of the page marks those below its threshold. */
export interface DotPlot extends FigureText {
  readonly dots: readonly Dot[]
  readonly xLabel: string
  readonly yLabel: string
  /** How numbers below the plot are written: of days, as dates. */
  readonly xFormat?: ((value: number) => string) | undefined
  readonly yTicks?: readonly { readonly at: number; readonly text: string }[]
  readonly yType?: 'linear' | 'symlog'
  /** Below the points, and above them. */
  readonly under?: readonly Plot.Markish[]
  readonly over?: readonly Plot.Markish[]
  /** The parts of the axes to show; points beyond are at the edge. Default: all. */
  readonly domain?: { readonly x?: readonly [number, number]; readonly y?: readonly [number, number] }
}

export const WIDTH = 470
export const HEIGHT = 340
/** On the left there is room for a name and for numbers such as −200k and −0.0015. */
export const margins = { marginLeft: 78, marginRight: 16, marginTop: 18, marginBottom: 44 } as const
/** From this size on there is no room for the digits of a number beside an axis, and below one. */
export const MOST_BESIDE = 10_000
const MOST_BELOW = 1_000_000
export const ROBUST = 'var(--robust)'
export const PLAIN = 'var(--plain)'

/** Colours that say P(good), from bad to good; classes of the page's style. */
const SHADES = 5

/** Rows as points, coloured by P(good), the suspicious ones on top. */
export function dotPlot(plot: DotPlot, document: PlotDocument): string {
  const { dots, domain } = plot
  // A domain may run downwards.
  const within = (value: number, [a, b]: readonly [number, number]): number =>
    Math.min(Math.max(value, Math.min(a, b)), Math.max(a, b))
  const shown = dots.map(({ x, y, clean }) => ({
    x: domain?.x === undefined ? x : within(x, domain.x),
    y: domain?.y === undefined ? y : within(y, domain.y),
    clean,
  }))
  // They come sorted, so each shade is a stretch of them, and the order in the file is theirs.
  const shades = Array.from({ length: SHADES }, (_, k) => SHADES - 1 - k)
  const layers = shades.map((shade) =>
    Plot.dot(
      shown.filter(({ clean }) => shadeOf(clean) === shade),
      { x: 'x', y: 'y', r: 3, className: `dots shade${shade}` },
    ),
  )
  const ticks = plot.yTicks
  // Dates take more room than numbers.
  const below = plot.xFormat === undefined ? 5 : 4
  const svg = svgText(
    document,
    plot,
    {
      width: WIDTH,
      height: HEIGHT,
      ...margins,
      ...(ticks === undefined ? {} : { marginLeft: 92 }),
      x: { label: plot.xLabel, nice: domain?.x === undefined, ...(domain?.x && { domain: domain.x }) },
      y: {
        label: plot.yLabel,
        nice: domain?.y === undefined,
        ...(domain?.y && { domain: domain.y }),
        ...(plot.yType && { type: plot.yType }),
      },
      marks: [
        Plot.gridX({ ticks: below, className: 'grid' }),
        ...(ticks === undefined ? [Plot.gridY({ ticks: 5, className: 'grid' })] : []),
        Plot.axisX({
          ticks: below,
          label: clipped(plot.xLabel),
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 38,
          ...(plot.xFormat === undefined
            ? written(domain?.x ?? dots.map(({ x }) => x), MOST_BELOW)
            : { tickFormat: plot.xFormat }),
        }),
        ticks === undefined
          ? Plot.axisY({
              ticks: 5,
              label: clipped(plot.yLabel),
              labelAnchor: 'center',
              labelArrow: 'none',
              labelOffset: 72,
              ...written(domain?.y ?? dots.map(({ y }) => y), MOST_BESIDE),
            })
          : Plot.axisY(
              ticks.map(({ at }) => at),
              {
                label: null,
                tickSize: 0,
                tickFormat: (at: number) => clipped(ticks.find((tick) => tick.at === at)?.text ?? '', 12),
              },
            ),
        ...(plot.under ?? []),
        ...layers,
        ...(plot.over ?? []),
      ],
    },
    'page',
  )
  return compact(svg)
}

function written(
  domain: readonly number[],
  most: number,
): { readonly tickFormat?: (value: number) => string } {
  const format = tickFormat(domain, most)
  return format === undefined ? {} : { tickFormat: format }
}

function shadeOf(clean: number): number {
  return Math.min(SHADES - 1, Math.max(0, Math.floor(clean * SHADES)))
}

/** What a plot has no room for. */
export function clipped(text: string, most = 44): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Tenths of a pixel are exact enough; the style says how large points are. */
export function compact(svg: string): string {
  return svg
    .replaceAll(/(-?\d+\.\d)\d+/g, '$1')
    .replaceAll(/(<circle cx="[^"]*" cy="[^"]*") r="3"><\/circle>/g, '$1/>')
}

/** The same small step for the same row, so that rows of one value lie beside each other. */
export function jitter(i: number): number {
  const x = Math.sin(12.9898 * (i + 1)) * 43758.5453
  return x - Math.floor(x) - 0.5
}
