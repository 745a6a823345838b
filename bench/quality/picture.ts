import { writeFileSync } from 'node:fs'
import { type Fit, fit, type LinearRegressionParams, linear, type Supervised } from 'rlvi'
import { say } from '../measure.js'
import { errorSet } from './error-kinds.js'
import { isProgram, runOptions } from './program.js'

/**
 * Draws docs/skewed.svg: 500 good rows with skewed errors, and the level that `fit` infers while good errors must be normal
 * (as in version 0.1.0, though its shells had no sides), and when it may choose their law.
 */

const ROWS = 500
const BLUE = '#1f6fb4'
const RED = '#d1452b'
const GREY = '#5b636e'
const INK = '#1c1f24'
/** Size of the picture and of a panel in it, and where the panels begin. */
const [WIDTH, HEIGHT] = [760, 360]
const PANEL = { width: 336, height: 190, top: 122 }
const LEFTS = [28, 396]
/** Residuals from and to, the width of a bar, and the rows that the axis has room for. */
const [FROM, TO, BAR] = [-2, 5, 0.2]
const MOST = 105

/** A fit with the density of good residuals that goes with it. */
interface Panel {
  readonly heading: string
  readonly found: Fit<LinearRegressionParams>
  readonly residuals: Float64Array
  readonly density: (residual: number) => number
  readonly law: string
}

export function picture(seed: number): { readonly svg: string; readonly panels: readonly Panel[] } {
  const { data } = errorSet(
    { kind: 'exponential', rows: ROWS, columns: 1, share: 0, outliers: 'shift' },
    seed,
    0,
  )
  const panels = [normalPanel(data), chosenPanel(data)]
  const title = `${ROWS} good rows with skewed errors`
  const subtitle =
    'residuals of a line, coloured by P(good): blue 1, red 0; the curve is the law of good errors'
  const parts = [
    `<title>${title}: bad rows under a normal law of errors, and under the law that the rows speak for</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="6" fill="#ffffff"/>`,
    text(28, 30, title, INK, 17, 600),
    text(28, 50, subtitle, GREY),
    ...panels.map((panel, k) => drawn(panel, LEFTS[k])),
  ]
  const head = `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`
  const font = `font-family="system-ui, 'Segoe UI', Roboto, Arial, sans-serif" font-size="13"`
  return { svg: `${head} ${font}>\n${parts.join('\n')}\n</svg>\n`, panels }
}

function normalPanel(data: Supervised): Panel {
  const found = fit(linear(), data, { errors: 'normal' })
  const { scale } = found.params
  const density = (r: number): number => Math.exp(-0.5 * (r / scale) ** 2) / (scale * Math.sqrt(2 * Math.PI))
  return {
    heading: 'errors taken for normal, as before',
    found,
    residuals: residualsOf(data, found),
    density,
    law: 'normal',
  }
}

function chosenPanel(data: Supervised): Panel {
  const found = fit(linear(), data)
  const residuals = residualsOf(data, found)
  const above = found.errors?.above
  if (above === undefined) throw new Error(`picture: a skewed law is expected, got ${found.errors?.name}`)
  const density = twoPiece(residuals, found.clean, above)
  return { heading: 'now: a skewed law, chosen by its evidence', found, residuals, density, law: 'skewed' }
}

function residualsOf({ x, y }: Supervised, { params }: Fit<LinearRegressionParams>): Float64Array {
  const predicted = linear().predict(x, params)
  return y.map((value, i) => value - predicted[i])
}

/**
 * The density of a two-piece exponential power law with a share above its mode, which a fit reports; scale, mode and power are
 * those of maximum likelihood for residuals with weights.
 */
function twoPiece(residuals: Float64Array, weights: Float64Array, above: number): (r: number) => number {
  const g = 0.5 * Math.log(above / (1 - above))
  const good = weights.reduce((sum, weight) => sum + weight, 0)
  const off = (r: number, mode: number): number => Math.abs(r - mode) * Math.exp(r > mode ? -g : g)
  let best = { value: Number.NEGATIVE_INFINITY, mode: 0, power: 2, scale: 1 }
  for (let mode = FROM; mode <= 1; mode += 0.005) {
    for (let power = 0.8; power <= 2; power += 0.05) {
      let sum = 0
      for (let i = 0; i < residuals.length; i++) sum += weights[i] * off(residuals[i], mode) ** power
      const scale = ((0.5 * power * sum) / good) ** (1 / power)
      const value = good * (logConstant(power) - Math.log(scale) - 1 / power)
      if (value > best.value) best = { value, mode, power, scale }
    }
  }
  const { mode, power, scale } = best
  const height = Math.exp(logConstant(power)) / (scale * Math.cosh(g))
  return (r) => height * Math.exp(-0.5 * (off(r, mode) / scale) ** power)
}

/** log of 1 over the integral of e^(-v^b / 2) over all v, by the trapezoid rule in log v. */
function logConstant(power: number): number {
  let sum = 0
  for (let x = -12; x < 8; x += 0.02) sum += 0.02 * Math.exp(x - 0.5 * Math.exp(power * x))
  return -Math.log(2 * sum)
}

/** A panel: what was found, bars of residuals, the law. */
function drawn({ heading, found, residuals, density }: Panel, left: number): string {
  const { level, interval } = found.corruption
  const { width, height, top } = PANEL
  const at = (r: number): number => left + ((r - FROM) / (TO - FROM)) * width
  const up = (rows: number): number => top + height * (1 - Math.min(rows / MOST, 1))
  const parts = [
    text(left, 80, heading, INK, 14, 600),
    text(
      left,
      100,
      `bad rows: ${percent(level!)} (90 % interval ${percent(interval![0])} to ${percent(interval![1])})`,
      level! > 0.05 ? RED : BLUE,
      13,
      600,
    ),
  ]
  const bars = Math.round((TO - FROM) / BAR)
  for (let b = 0; b < bars; b++) {
    let [good, bad] = [0, 0]
    for (let i = 0; i < residuals.length; i++) {
      // What lies farther out is counted at the end of the axis.
      const bar = Math.min(bars - 1, Math.max(0, Math.floor((residuals[i] - FROM) / BAR)))
      if (bar !== b) continue
      good += found.clean[i]
      bad += 1 - found.clean[i]
    }
    const x = at(FROM + b * BAR)
    parts.push(bar(x, up(good), up(0), BLUE), bar(x, up(good + bad), up(good), RED))
  }
  const share = 1 - level!
  const points: string[] = []
  for (let r = FROM; r <= TO; r += 0.02) {
    points.push(`${at(r).toFixed(1)},${up(residuals.length * BAR * share * density(r)).toFixed(1)}`)
  }
  parts.push(`<polyline points="${points.join(' ')}" fill="none" stroke="${INK}" stroke-width="2"/>`)
  parts.push(`<path d="M${left},${up(0)}H${left + width}" stroke="${GREY}"/>`)
  for (let r = FROM; r <= TO; r++) {
    parts.push(text(at(r), up(0) + 18, String(r).replace('-', '−'), GREY, 12, 400, 'middle'))
  }
  parts.push(text(left + width / 2, up(0) + 36, 'residual', GREY, 12, 400, 'middle'))
  return parts.filter((part) => part !== '').join('\n')
}

function bar(x: number, top: number, bottom: number, colour: string): string {
  if (bottom - top < 0.05) return ''
  const width = (PANEL.width * BAR) / (TO - FROM) - 1
  return `<rect x="${x.toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${(bottom - top).toFixed(1)}" fill="${colour}" fill-opacity=".75"/>`
}

function text(
  x: number,
  y: number,
  content: string,
  fill: string,
  size = 13,
  weight = 400,
  anchor = 'start',
): string {
  return `<text x="${x.toFixed(1)}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${content}</text>`
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`
}

if (isProgram(import.meta.url)) {
  const { svg, panels } = picture(runOptions(1).seed)
  writeFileSync(new URL('../../../docs/skewed.svg', import.meta.url), svg)
  for (const { heading, found, law } of panels) {
    const { level, interval } = found.corruption
    say(
      `${heading}: ${law}, level ${level!.toFixed(3)}, interval ${interval!.map((edge) => edge.toFixed(3)).join(' to ')}`,
    )
  }
}
