import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { type Box, boxPlot, type Curve, curvePlot, svgDocument } from './index.js'

interface Node {
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): ArrayLike<Node>
  readonly textContent: string
}

function parse(svg: string): Node {
  return parseHTML(`<html><body>${svg}</body></html>`).document as unknown as Node
}
function all(root: Node, selector: string): Node[] {
  return Array.from(root.querySelectorAll(selector))
}
const number = (node: Node | undefined, name: string): number => Number(node?.getAttribute(name))

const boxes: Box[] = [
  { label: 'ML', min: 1, q25: 2, median: 3, q75: 5, max: 9, mean: 4 },
  { label: 'RLVI\nreleased', min: 0.5, q25: 1, median: 1.5, q75: 2, max: 40, mean: 20, above: 3 },
]
const spec = {
  id: 'a-figure',
  title: 'Errors of <two> methods',
  yLabel: 'error',
  range: [0, 10] as const,
  boxes,
}

describe('boxPlot', () => {
  const root = parse(boxPlot(spec, svgDocument()))
  // The y axis is linear: its position is fixed by the ticks 0 and 10.
  const ticks = new Map(
    all(root, '[aria-label="y-axis tick label"] text').map((text) => [
      Number(text.textContent),
      Number(/,([\d.]+)\)/.exec(text.getAttribute('transform') ?? '')?.[1]),
    ]),
  )
  const bottom = ticks.get(0) ?? Number.NaN
  const perUnit = ((ticks.get(10) ?? Number.NaN) - bottom) / 10
  const y = (value: number): number => bottom + perUnit * value

  it('has a box from quartile to quartile for every method', () => {
    const rects = all(root, '.boxes rect')
    expect(rects).toHaveLength(2)
    boxes.forEach(({ q25, q75 }, k) => {
      expect(number(rects[k], 'y')).toBeCloseTo(y(q75), 6)
      expect(number(rects[k], 'y') + number(rects[k], 'height')).toBeCloseTo(y(q25), 6)
    })
  })

  it('has the mean as a red dot, and a triangle at the edge for one beyond it', () => {
    const dots = all(root, '.means circle')
    expect(dots).toHaveLength(1)
    expect(number(dots[0], 'cy')).toBeCloseTo(y(4), 6)
    expect(all(root, '.means')[0]?.getAttribute('fill')).toMatch(/^#d/)
    expect(all(root, '.means-above path')).toHaveLength(1)
    expect(all(root, '.above text').map((text) => text.textContent)).toEqual(['3 above'])
  })

  it('has the median as a line', () => {
    expect(all(root, '.medians line').map((line) => number(line, 'y1'))).toEqual(
      [3, 1.5].map((value) => expect.closeTo(y(value), 6)),
    )
  })

  it('has whiskers to the smallest and the largest value, or to the edge', () => {
    const reach = all(root, '.whiskers line').map((line) => [number(line, 'y1'), number(line, 'y2')])
    expect(reach).toHaveLength(4)
    expect(Math.max(...reach[0])).toBeCloseTo(y(1), 6)
    expect(Math.min(...reach[1])).toBeCloseTo(y(9), 6)
    expect(Math.min(...reach[3])).toBeCloseTo(y(10), 6)
    // Caps at both ends of the first, at the lower end of the second.
    expect(all(root, '.ends line')).toHaveLength(3)
  })

  it('has a title for screen readers, escaped', () => {
    const svg = boxPlot(spec, svgDocument())
    expect(svg).toContain('<title id="a-figure-title">Errors of &lt;two&gt; methods</title>')
    expect(svg).toContain('aria-labelledby="a-figure-title"')
    expect(svg).toContain('role="img"')
  })

  it('is the same each time', () => {
    expect(boxPlot(spec, svgDocument())).toBe(boxPlot(spec, svgDocument()))
  })
})

describe('curvePlot', () => {
  const line = (label: string, slope: number): Curve => ({
    label,
    colour: '#123456',
    points: [0, 0.1, 0.2].map((x) => ({ x, y: slope * x, spread: 0.1 })),
  })
  const curves = [line('ML', 4), line('RRM', 3.99), { ...line('RLVI', 1), dashed: true }]
  const figure = { id: 'c', title: 'Curves', xLabel: 'level', yLabel: 'error', curves }
  const root = parse(curvePlot(figure, svgDocument()))

  it('has a line, a band and a name for every curve', () => {
    expect(all(root, '.curves path')).toHaveLength(2)
    expect(all(root, '.curves-dashed path')).toHaveLength(1)
    expect(all(root, '.bands path')).toHaveLength(3)
    expect(
      all(root, '.names text')
        .map((text) => text.textContent)
        .sort(),
    ).toEqual(['ML', 'RLVI', 'RRM'])
  })

  it('keeps names apart', () => {
    const at = all(root, '.names text').map((text) =>
      Number(/,([\d.]+)\)/.exec(text.getAttribute('transform') ?? '')?.[1]),
    )
    at.sort((a, b) => a - b)
    expect(at[1] - at[0]).toBeGreaterThanOrEqual(13)
  })

  it('has room for long names', () => {
    const label = 'RLVI, no truncation: corrupt'
    const [svg] = all(parse(curvePlot({ ...figure, curves: [line(label, 1)] }, svgDocument())), 'svg')
    const [name] = all(svg!, '.names text')
    const from = Number(/\(([\d.]+),/.exec(name?.getAttribute('transform') ?? '')?.[1])
    // A sign of bold 13 px text is half as wide as it is high, at least.
    expect(from + label.length * 6.5).toBeLessThan(number(svg, 'width'))
  })

  it('names both axes', () => {
    const texts = all(root, 'text').map((text) => text.textContent)
    expect(texts).toEqual(expect.arrayContaining(['level', 'error', 'Curves']))
  })

  it('is the same each time, clip paths included', () => {
    expect(curvePlot(figure, svgDocument())).toBe(curvePlot(figure, svgDocument()))
  })
})
