/** A thousand fits of the paper's linear benchmark against the authors' way of doing it in numpy. */
import { availableParallelism } from 'node:os'
import { draws } from 'rlvi/random'
import { Tinypool } from 'tinypool'
import { bestOf, compare, say } from './measure.js'
import { COLS, FITS, fitPart, type Part, ROWS } from './monte-carlo-fits.js'
import { readNumbers, runPython, withFile } from './yardstick.js'

// The paper's Section 4.1: x uniform on [-5, 5], all coefficients 1, noise .25, and one row in five a wide Student t.
const random = draws('monte-carlo', 3)
const numbers = (count: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * count))
const xs = numbers(FITS * ROWS * COLS)
const ys = numbers(FITS * ROWS)
for (let k = 0; k < xs.length; k++) xs[k] = random.uniform(-5, 5)
for (let i = 0; i < ys.length; i++) {
  for (let j = 0; j < COLS; j++) ys[i] += xs[i * COLS + j]
  ys[i] += random.uniform(0, 1) < 0.2 ? random.studentT(2.5) : 0.25 * random.normal()
}
const all: Part = { xs, ys, from: 0, to: FITS, out: numbers(FITS * COLS) }

say(`${FITS} robust linear fits of ${ROWS} x ${COLS}, against the authors' way in numpy`)
const alone = bestOf(30, () => fitPart(all))
const threads = availableParallelism()
const together = await bestOnThreads(threads)

withFile([xs, ys], (path) => {
  const args = [path, String(FITS), String(ROWS), String(COLS)]
  const theirs = runPython<{ ms: number }>('monte-carlo.py', ['numpy'], args)
  if (theirs?.kind !== 'done') return
  compare('numpy against one thread', theirs.result.ms, alone, 10)
  compare(`numpy against ${threads} threads`, theirs.result.ms, together)
  const expected = readNumbers(`${path}.out`)
  const gap = all.out.reduce((most, value, k) => Math.max(most, Math.abs(value - expected[k])), 0)
  say(`  the coefficients differ by at most ${gap.toExponential(1)}`)
})

async function bestOnThreads(count: number): Promise<number> {
  const filename = new URL('./monte-carlo-fits.js', import.meta.url).href
  const pool = new Tinypool({ filename, name: 'fitPart', minThreads: count, maxThreads: count })
  const parts = Array.from({ length: count }, (_, k): Part => {
    return { ...all, from: Math.floor((k * FITS) / count), to: Math.floor(((k + 1) * FITS) / count) }
  })
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 20; run++) {
    const start = performance.now()
    await Promise.all(parts.map((part) => pool.run(part)))
    best = Math.min(best, performance.now() - start)
  }
  await pool.destroy()
  return best
}
