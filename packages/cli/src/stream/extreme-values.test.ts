import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'

const folder = testFolder()
const path = (name: string): string => join(folder.path, name)

/** A value of row i, for the numbers that break careless arithmetic. */
const values: Readonly<Record<string, (i: number) => number>> = {
  'some of 1e300': (i) => (i % 5 === 0 ? 1e300 : Math.sin(i)),
  'the largest there are': (i) => (i % 2 ? -1.7e308 : 1.7e308),
  denormal: (i) => 5e-324 * (1 + (i % 7)),
  constant: () => 3,
}

test.each(
  Object.entries(values).flatMap(([name, value]) =>
    ['linear', 'logistic'].map((model) => ({ name, value, model })),
  ),
)('$name, $model: a state holds all that there is to go on from', async ({ value, model }) => {
  const row = (i: number): string => {
    const y = model === 'linear' ? value(i + 3) : i % 2
    return `${JSON.stringify({ x: value(i), z: Math.cos(i), y })}\n`
  }
  const lines = Array.from({ length: 60 }, (_, i) => row(i))
  const flags = ['--target', 'y', '--model', model, '--batch', '10']
  writeFileSync(path('all.ndjson'), lines.join(''))
  const whole = await run('stream', '--input', path('all.ndjson'), ...flags)
  expect(whole.status).toBe(0)
  writeFileSync(path('part.ndjson'), lines.slice(0, 30).join(''))
  const kept = ['--state', path(`state ${model} ${value(0)}.json`), '--out', path('out.ndjson')]
  const first = await run('stream', '--input', path('part.ndjson'), ...flags, ...kept)
  appendFileSync(path('part.ndjson'), lines.slice(30).join(''))
  const second = await run('stream', '--input', path('part.ndjson'), ...flags, ...kept)
  expect([first.status, second.status]).toEqual([0, 0])
  expect(readFileSync(path('out.ndjson'), 'utf8')).toBe(whole.out)
})
