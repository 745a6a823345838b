import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fit, Params } from 'rlvi'
import { expect, test, vi } from 'vitest'
import { data, withTarget } from '../testing/data.js'
import { run, runJson, testFolder } from '../testing/run.js'

vi.mock('rlvi', async (original) => {
  const real = await original<typeof import('rlvi')>()
  const fit = (likelihood: never, rows: never, options: never): Fit<Params> => ({
    ...(real.fit(likelihood, rows, options) as Fit<Params>),
    errors: { name: 'skewed', above: 0.7 },
    cautions: [
      { about: 'curvature', message: 'the residuals bend; add its square as a feature', column: 0 },
      { about: 'leverage', message: 'column 2 has few rows with a 1', column: 2 },
      { about: 'few-rows', message: 'too few rows for the level to mean much' },
    ],
  })
  return { ...real, fit }
})

const folder = testFolder()
const odd = '<script>alert("x")</script>\n\u001b[31m'
const messages = [
  'column "<script>alert(\\"x\\")</script>\\n\\u001b[31m": the residuals bend; add its square as a feature',
  'column "city=bonn" has few rows with a 1',
  'too few rows for the level to mean much',
]

function fileOf(model: string): string {
  const rows = data.map((row, i) => [...row.slice(0, 3), withTarget[model]!(row, i)])
  return folder.csv(`${model}.csv`, [[odd, 'x2', 'city', 'y'], ...rows])
}

test('cautions are a line each beside the remarks, and in the JSON by the names of columns', async () => {
  const { remarks, out } = await run('fit', fileOf('linear'), '--target', 'y')
  expect(remarks.slice(-3)).toEqual(messages.map((message) => `caution: ${message}`))
  expect(out).toContain('\ngood rows: skewed, 70 % lie above the peak, heavier tail on the right\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the point
  expect(remarks.join() + out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  const model = join(folder.path, 'model.json')
  const { cautions, errors } = await runJson('fit', fileOf('linear'), '--target', 'y', '--save', model)
  expect(cautions).toEqual([
    { about: 'curvature', message: messages[0], column: odd },
    { about: 'leverage', message: messages[1], column: 'city=bonn' },
    { about: 'few-rows', message: messages[2] },
  ])
  expect(errors).toEqual({ name: 'skewed', above: 0.7 })
  expect(JSON.parse(readFileSync(model, 'utf8')).errors).toEqual(errors)
  expect((await run('predict', model, fileOf('linear'))).status).toBe(0)
})

test('an audit has them too: beside its remarks, in its JSON and, with nothing to break out, on its page', async () => {
  const report = join(folder.path, 'report.html')
  const file = fileOf('logistic')
  const { status, remarks } = await run('audit', file, '--target', 'y', '--report', report)
  expect(status).toBe(0)
  for (const message of messages) expect(remarks).toContain(`caution: ${message}`)
  const html = readFileSync(report, 'utf8')
  expect(html).toContain('<li>Caution: column &quot;&lt;script&gt;alert(\\&quot;x\\&quot;)&lt;/script&gt;')
  expect(html).toContain('<li>Caution: too few rows for the level to mean much</li>')
  expect(html).not.toContain('<script')
  const { cautions, interval } = await runJson('audit', file, '--target', 'y')
  expect(cautions.map(({ message }: { message: string }) => message)).toEqual(messages)
  expect(interval === null || interval.length === 2).toBe(true)
})
