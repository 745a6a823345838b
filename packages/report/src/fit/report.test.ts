import { createHash } from 'node:crypto'
import {
  type Column,
  fitTable,
  type ModelName,
  plainFit,
  summariseColumns,
  type TableFit,
} from '@rlvi/estimator'
import { parseHTML } from 'linkedom'
import { describe, expect, it, test } from 'vitest'
import { html } from '../html.js'
import { type FitReport, fitReport, svgDocument } from '../index.js'
import { script, scriptHash } from './script.js'

const noise = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) + Math.sin(3.7 * i * k + k)
const make = (n: number, of: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => of(i))

function table(n: number): Record<string, Column> {
  const a = make(n, (i) => 5 + noise(i, 1))
  const b = make(n, (i) => 100 * noise(i, 2))
  const y = a.map((value, i) => 3 + 2 * value - 0.01 * b[i]! + 0.3 * noise(i, 3) + (i % 20 === 0 ? 25 : 0))
  return {
    a,
    b,
    y,
    c: a.map((value, i) => value + 0.1 * noise(i, 7) + (i % 25 === 0 ? 9 : 0)),
    label: a.map((value, i) => (value + (i % 15 === 0 ? -6 : 0) + 0.4 * noise(i, 4) > 5 ? 'yes' : 'no')),
    kind: a.map((value, i) => ['x', 'y', 'z'][i % 14 === 0 ? i % 3 : value < 4 ? 0 : value < 5.5 ? 1 : 2]!),
    count: a.map((value, i) => Math.max(0, Math.round(2 * value + noise(i, 6) + (i % 30 === 0 ? 60 : 0)))),
  }
}

function reportOf(
  columns: Record<string, Column>,
  options: object,
): { fit: TableFit; html: string; report: FitReport } {
  const fit = fitTable(columns, options)
  const names = Object.keys(columns)
  const report: FitReport = {
    source: 'table.csv',
    fit,
    plain: plainFit(fit),
    columns: summariseColumns(columns, options),
    values: { names, value: (column, row) => (columns[names[column]!] as (number | string)[])[row]! },
    made: [['command', 'rlvi fit table.csv']],
  }
  return { fit, html: fitReport(report, svgDocument()), report }
}

interface Node {
  readonly textContent: string
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): ArrayLike<Node>
}
const parse = (text: string): Node => parseHTML(text).document as unknown as Node
const all = (root: Node, selector: string): Node[] => Array.from(root.querySelectorAll(selector))

const models: [ModelName, object][] = [
  ['linear', { target: 'y', features: ['a'] }],
  ['linear', { target: 'y', features: ['a', 'b', 'kind'] }],
  ['logistic', { target: 'label', features: ['a', 'b'] }],
  ['softmax', { target: 'kind', features: ['a', 'b', 'c'] }],
  ['poisson', { target: 'count', features: ['a'] }],
  ['mean', { features: ['a'] }],
  ['mean', { features: ['a', 'b'] }],
  ['covariance', { features: ['a', 'c'] }],
  ['covariance', { features: ['a', 'b', 'c'] }],
  ['pca', { features: ['a', 'c'] }],
]

describe.each(models)('%s %j', (model, options) => {
  const { fit, html: text } = reportOf(table(150), { model, ...options })
  const page = parse(text)

  it('has its sections in order', () => {
    const titles = all(page, 'h2').map((heading) => heading.textContent)
    const wanted = [
      'The columns',
      'How much is bad',
      'With and without protection',
      'The data',
      'How badly rows fit',
      'The suspicious rows',
    ]
    expect(titles.slice(0, 6)).toEqual(wanted)
    expect(titles.includes('Given against suggested labels')).toBe(
      model === 'logistic' || model === 'softmax',
    )
    expect(titles.at(-1)).toBe('How this was made')
  })

  it('draws every row in every plot of rows, the worst last, and has a line for each flagged row', () => {
    const plots = all(page, '.figures svg').map((svg) => all(svg, '.dots circle').length)
    const ofRows = plots.filter((dots) => dots > 0)
    expect(ofRows.length).toBeGreaterThan(1)
    for (const dots of ofRows) expect(dots).toBe(fit.rows.length)
    const data = JSON.parse(all(page, '#rlvi-data')[0]!.textContent)
    expect(data.points.clean).toEqual([...data.points.clean].sort((p: number, q: number) => q - p))
    const flagged = Array.from(fit.clean).filter((p) => p < 0.5).length
    expect(data.below[50]).toBe(flagged)
    expect(data.worst.clean.filter((p: number) => p < 0.5)).toHaveLength(flagged)
    expect(all(page, '#rows tbody tr')).toHaveLength(Math.min(25, flagged))
    // Rows count from 1.
    for (const row of data.points.row) expect(row).toBeGreaterThanOrEqual(1)
    expect(new Set(data.points.row).size).toBe(fit.rows.length)
  })

  it('has no coordinate that is not a number, and says what each plot is', () => {
    expect(text).not.toMatch(/="[^"]*NaN/)
    for (const svg of all(page, '.figures svg')) expect(svg.querySelectorAll('title').length).toBe(1)
  })
})

describe('the fits side by side', () => {
  const { fit, html: text, report } = reportOf(table(150), { target: 'y', features: ['a', 'b'] })
  const lines = all(parse(text), '.params tbody tr').map((row) =>
    all(row, 'th, td').map((cell) => cell.textContent),
  )

  it('are the numbers of both', () => {
    expect(lines.map(([name]) => name)).toEqual(['intercept', 'a', 'b', 'scale of the residuals'])
    const own = fit.model.fitted.params as unknown as { coefficients: number[] }
    const plain = report.plain.fitted.params as unknown as { coefficients: number[] }
    expect(Number(lines[1]![1]) / own.coefficients[0]!).toBeCloseTo(1, 3)
    expect(Number(lines[1]![3]) / plain.coefficients[0]!).toBeCloseTo(1, 3)
  })
})

test('given against suggested labels are the counts of the rows', () => {
  const { fit, html: text } = reportOf(table(150), { target: 'label', features: ['a', 'b'] })
  const cells = all(parse(text), '.matrix tbody td').map((cell) => Number(cell.textContent))
  const { y } = fit.response!
  const pairs = [0, 1].flatMap((given) =>
    [0, 1].map((looks) =>
      y.reduce((sum, label, i) => (label === given && fit.suggested![i] === looks ? sum + 1 : sum), 0),
    ),
  )
  expect(cells).toEqual(pairs)
})

test('a file hardly grows with its table, and all flagged rows are drawn up to a bound', () => {
  const small = reportOf(table(5000), { target: 'y', features: ['a', 'b'] })
  const large = reportOf(table(30_000), { target: 'y', features: ['a', 'b'] })
  const larger = reportOf(table(60_000), { target: 'y', features: ['a', 'b'] })
  expect(larger.html.length / large.html.length).toBeLessThan(1.05)
  expect(large.html).toMatch(/2,400 of 30,000 rows are drawn: 1,200 of 1,500 flagged ones/)
  expect(small.html).toMatch(/rows are drawn: all flagged ones/)
})

const nasty = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'&\u2028`

test('no name, label or value of a table can leave its place', () => {
  const n = 60
  const x = make(n, (i) => noise(i, 1))
  const columns = {
    [nasty]: x,
    [`${nasty}=label`]: x.map((value) => (value > 0 ? nasty : `${nasty}2`)),
    [`y${nasty}`]: x.map((value, i) => (i % 9 ? value : 30)),
  }
  const { report } = reportOf(columns, { target: `y${nasty}` })
  const text = fitReport({ ...report, source: nasty, made: [[nasty, nasty]] }, svgDocument())
  expect(text.match(/<script/g)).toHaveLength(2)
  expect(text).not.toContain('<img')
  expect(text.match(/<\/script/g)).toHaveLength(2)
  const data = JSON.parse(all(parse(text), '#rlvi-data')[0]!.textContent)
  expect(data.worst.head.map((head: { name: string }) => head.name)).toContain(nasty)
})

test('templates escape all that is put in', () => {
  expect(html`<p title="${nasty}">${['<b>', html`<i>`, 3, undefined, false]}</p>`.text).not.toMatch(
    /<b>|<script|<img/,
  )
  expect(html`${html`<i>`}`.text).toBe('<i>')
})

test("the page's policy names its script, and no other, and nothing from elsewhere", () => {
  expect(scriptHash).toBe(`sha256-${createHash('sha256').update(script).digest('base64')}`)
  const { html: text } = reportOf(table(60), { target: 'y', features: ['a'] })
  expect(text).toContain(
    `content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '${scriptHash}';`,
  )
  expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<link|@import|url\((?!#)/)
})

test('the same fit gives the same file', () => {
  const { html: first, report } = reportOf(table(60), { target: 'y', features: ['a', 'b'] })
  expect(fitReport(report, svgDocument())).toBe(first)
})

test('without a target, bad rows are seen in the two columns that tell them', () => {
  const tall = make(200, (i) => 175 + 9 * noise(i, 1))
  const columns = {
    pulse: make(200, (i) => 65 + 8 * noise(i, 4)),
    tall: tall.map((value, i) => value + (i % 12 === 0 ? 20 : 0)),
    age: make(200, (i) => 40 + 15 * noise(i, 5)),
    heavy: tall.map((value, i) => 0.9 * value - 80 + 3 * noise(i, 2) - (i % 12 === 0 ? 20 : 0)),
  }
  const { html: page, fit } = reportOf(columns, { model: 'covariance' })
  expect(fit.flagged).toBeGreaterThan(10)
  expect(page).toContain('heavy against tall')
})

test('days are written as dates, and years as years', () => {
  const day = Array.from({ length: 300 }, (_, i) =>
    new Date(Date.UTC(2015, 0, 10) + i * 8 * 86_400_000).toISOString().slice(0, 10),
  )
  const year = make(300, (i) => 1950 + ((7 * i) % 70))
  const y = make(300, (i) => i + 3 * year[i]! + noise(i, 3) + (i % 20 === 0 ? 300 : 0))
  const { html: page } = reportOf({ day, year, y }, { target: 'y' })
  const ticks = (id: string): string[] => {
    const svg = page.slice(page.indexOf(`id="${id}-title"`))
    return all(parse(svg.slice(0, svg.indexOf('</svg>'))), '[aria-label="x-axis tick label"] text').map(
      (tick) => tick.textContent,
    )
  }
  const [a, b] = [ticks('partial-1'), ticks('partial-2')]
  const [days, years] = a.some((text) => /-/.test(text)) ? [a, b] : [b, a]
  expect(days.length).toBeGreaterThan(2)
  for (const text of days) expect(text).toMatch(/^20\d\d-\d\d-\d\d$/)
  for (const text of years) expect(text).toMatch(/^(19|20)\d\d$/)
})
