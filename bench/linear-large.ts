/** A robust linear fit of a million rows against robust regression elsewhere, on the same data. */
import { linear, paper } from 'rlvi'
import { COLUMNS, linearData } from './linear-data.js'
import { bestOf, compare, ms, say } from './measure.js'
import { type Outcome, runPython, runR, withFile } from './yardstick.js'

const ROWS = 1_000_000
const RUNS = 5

interface Rival {
  readonly ms: number
  readonly coefficients: readonly number[]
}

const { x, y } = linearData(ROWS, 2)
const bytes = x.values.byteLength + y.byteLength

const model = linear({ intercept: true })
let result = paper(model, { x, y })
const share = (process.resourceUsage().maxRSS * 1024) / bytes
const ours = bestOf(RUNS, () => {
  result = paper(model, { x, y })
})
const error = (coefficients: ArrayLike<number>): string =>
  Math.sqrt(Array.from(coefficients).reduce((sum, c) => sum + (c - 1) ** 2, 0) / COLUMNS).toExponential(2)

say(`linear regression, ${ROWS} x ${COLUMNS}, 20 % of the responses bad`)
say(
  `rlvi, method paper: ${ms(ours)}, ${result.iterations} iterations, error ${error(result.params.coefficients)}`,
)
const later = (process.resourceUsage().maxRSS * 1024) / bytes
say(
  `  peak memory of the process: ${share.toFixed(2)} times the data after the first fit (wanted: at most 3),`,
)
say(`  ${later.toFixed(2)} times after ${1 + RUNS} fits, whose results wait to be collected`)

withFile([x.values, y], (path) => {
  const args = [path, String(ROWS), String(COLUMNS)]
  report('scikit-learn HuberRegressor', runPython<Rival>('huber.py', ['numpy', 'sklearn'], args), 1)
  report('statsmodels RLM', runPython<Rival>('rlm.py', ['numpy', 'statsmodels'], args))
  report('R lmrob', runR<Rival>('lmrob.R', 'robustbase', args))
})

function report(name: string, outcome: Outcome<Rival>, wanted?: number): void {
  if (outcome === undefined) return
  if (outcome.kind === 'too-slow') {
    say(`  ${name}: stopped after 3 minutes`)
    return
  }
  compare(`${name}, error ${error(outcome.result.coefficients)}`, outcome.result.ms, ours, wanted)
}
