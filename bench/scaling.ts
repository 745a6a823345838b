/** How the cost of a linear fit grows: linearly in rows, quadratically in columns. */
import { linear, paper, sharedMatrix } from 'rlvi'
import { draws } from 'rlvi/random'
import { bestOf, exponent, ms, say } from './measure.js'

const model = linear({ intercept: true })

/** One iteration of the fit, so that all sizes do the same. */
function timeFit(rows: number, cols: number): number {
  const random = draws('scaling', 4)
  const x = sharedMatrix(rows, cols)
  const y = sharedMatrix(rows, 1).values
  for (let k = 0; k < x.values.length; k++) x.values[k] = random.uniform(-0.5, 0.5)
  for (let i = 0; i < rows; i++) y[i] = x.values[i * cols] + (i % 5 === 0 ? 1 : 0.1) * random.normal()
  return bestOf(5, () => paper(model, { x, y }, { maxIterations: 1 }))
}

function series(
  what: string,
  sizes: readonly number[],
  time: (size: number) => number,
  wanted: number,
): void {
  const times = sizes.map(time)
  sizes.forEach((size, k) => {
    say(`  ${String(size).padStart(9)} ${what}  ${ms(times[k]).padStart(9)}`)
  })
  const last = exponent(sizes.slice(-2), times.slice(-2))
  const all = exponent(sizes, times)
  say(
    `  exponent ${all.toFixed(2)} over all, ${last.toFixed(2)} over the last doubling (expected: ${wanted})`,
  )
}

timeFit(20_000, 20)
say('linear fit, one iteration, 20 columns')
series('rows', [100_000, 200_000, 400_000, 800_000, 1_600_000], (rows) => timeFit(rows, 20), 1)
say('linear fit, one iteration, 20,000 rows')
series('columns', [10, 20, 40, 80, 160], (cols) => timeFit(20_000, cols), 2)
