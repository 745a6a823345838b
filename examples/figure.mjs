/** Draws docs/stars.svg: `node examples/figure.mjs` after `npm run build`. */
import { readFileSync, writeFileSync } from 'node:fs'
import * as Plot from '@observablehq/plot'
import { svgDocument } from '@rlvi/report'
import { fit, fromRows, linear, ml } from 'rlvi'

const [, ...lines] = readFileSync(new URL('data/stars.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const stars = lines.map((line) => line.split(',').map(Number))
const data = { x: fromRows(stars.map(([t]) => [t])), y: Float64Array.from(stars, ([, light]) => light) }
const plain = ml(linear(), data).params
const robust = fit(linear(), data)
const rows = stars.map(([temperature, light], i) => ({ temperature, light, good: robust.clean[i] }))

const [cold, hot] = [3.42, 4.68]
const line = ({ intercept, coefficients: [slope] }) =>
  [cold, hot].map((temperature) => ({ temperature, light: intercept + slope * temperature }))
const level = (100 * robust.corruption.level).toFixed(0)
const slopeOf = (params) => params.coefficients[0].toFixed(2).replace('-', '−')
const BLUE = '#1f6fb4'
const RED = '#d1452b'
const GREY = '#7b838d'

const svg = Plot.plot({
  document: svgDocument(),
  className: 'stars',
  width: 760,
  height: 430,
  marginTop: 64,
  marginRight: 24,
  marginBottom: 50,
  marginLeft: 58,
  style: {
    fontFamily: 'system-ui, "Segoe UI", Roboto, Arial, sans-serif',
    fontSize: '13px',
    background: '#ffffff',
  },
  x: {
    domain: [cold, hot],
    label: 'log temperature',
    labelAnchor: 'center',
    labelArrow: 'none',
    labelOffset: 42,
  },
  y: {
    domain: [3.7, 6.5],
    label: 'log light',
    labelAnchor: 'center',
    labelArrow: 'none',
    labelOffset: 44,
    ticks: 6,
  },
  color: { type: 'linear', domain: [0, 0.5, 1], range: [RED, '#e0a13a', BLUE] },
  marks: [
    Plot.gridY({ ticks: 6, strokeOpacity: 0.1 }),
    Plot.gridX({ strokeOpacity: 0.1 }),
    Plot.line(line(plain), {
      x: 'temperature',
      y: 'light',
      stroke: GREY,
      strokeWidth: 2,
      strokeDasharray: '6 5',
      clip: true,
    }),
    Plot.line(line(robust.params), {
      x: 'temperature',
      y: 'light',
      stroke: BLUE,
      strokeWidth: 2.6,
      clip: true,
    }),
    Plot.dot(rows, {
      x: 'temperature',
      y: 'light',
      fill: 'good',
      r: 5,
      fillOpacity: 0.85,
      stroke: '#ffffff',
      strokeWidth: 0.8,
    }),
    Plot.text([{ temperature: 3.53, light: 6.12 }], {
      x: 'temperature',
      y: 'light',
      text: () => 'four giants',
      textAnchor: 'start',
      fill: RED,
      fontWeight: 600,
    }),
    Plot.text([{ temperature: 3.62, light: 5.0 }], {
      x: 'temperature',
      y: 'light',
      text: () => `least squares, slope ${slopeOf(plain)}`,
      textAnchor: 'start',
      fill: GREY,
      fontWeight: 600,
    }),
    Plot.text([{ temperature: 4.67, light: 6.05 }], {
      x: 'temperature',
      y: 'light',
      text: () => `rlvi, slope ${slopeOf(robust.params)}`,
      textAnchor: 'end',
      fill: BLUE,
      fontWeight: 600,
    }),
  ],
})
const text = (y, size, weight, fill, content) =>
  `<text x="16" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="start">${content}</text>`
const title = 'The stars of CYG OB1: the more heat, the more light'
const subtitle = `coloured by P(good): blue 1, red 0; inferred: ${level} % of the rows are bad`
const heading = `<title>${title}</title>${text(26, 17, 600, '#1c1f24', title)}${text(46, 13, 400, '#5b636e', subtitle)}`
svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
svg.setAttribute('role', 'img')
const standing = svg.outerHTML
  .replace('</svg>', `${heading}</svg>`)
  .replaceAll(/plot-clip-\d+/g, 'stars-clip')
writeFileSync(new URL('../docs/stars.svg', import.meta.url), `${standing}\n`)
