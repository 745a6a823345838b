/** What the calibrated method costs on many rows, as a multiple of the paper's. */
import { fit, linear, paper, sharedMatrix } from 'rlvi'
import { draws } from 'rlvi/random'
import { bestOf, ms, say } from '../measure.js'
import { isProgram, runOptions, table, verdict } from './program.js'

const ROWS = 1_000_000
const COLUMNS = 20
const WANTED = 5

/** As bench/linear-large.ts: drawn in place, in shared memory, a fifth of the responses bad. */
function draw(seed: number) {
  const random = draws('cost', 2 + seed)
  const x = sharedMatrix(ROWS, COLUMNS)
  const y = sharedMatrix(ROWS, 1).values
  for (let i = 0, at = 0; i < ROWS; i++) {
    let sum = 3
    for (let j = 0; j < COLUMNS; j++, at++) {
      x.values[at] = random.uniform(-5, 5)
      sum += x.values[at]
    }
    y[i] = sum + (random.uniform(0, 1) < 0.2 ? random.studentT(2.5) : 0.25 * random.normal())
  }
  return { x, y }
}

if (isProgram(import.meta.url)) {
  const { runs, seed } = runOptions(5)
  const data = draw(seed)
  const model = linear()
  const error = (coefficients: Float64Array): string =>
    Math.sqrt(coefficients.reduce((sum, c) => sum + (c - 1) ** 2, 0) / COLUMNS).toExponential(2)

  const published = paper(model, data)
  const ours = fit(model, data)
  const paperTime = bestOf(runs, () => paper(model, data))
  const ourTime = bestOf(runs, () => fit(model, data))
  say(`linear regression, ${ROWS} x ${COLUMNS}, a fifth of the responses bad: the shortest of ${runs} runs`)
  table(
    ['method', 'time', 'iterations', 'error', 'level'],
    [
      ['paper', ms(paperTime), String(published.iterations), error(published.params.coefficients), ''],
      [
        'calibrated',
        ms(ourTime),
        String(ours.iterations),
        error(ours.params.coefficients),
        `${ours.corruption.level?.toFixed(4)} [${ours.corruption.interval?.map((v) => v.toFixed(4)).join(', ')}]`,
      ],
    ],
  )
  const ratio = ourTime / paperTime
  verdict([
    {
      name: `at most ${WANTED} times the cost of the paper's fit`,
      holds: ratio <= WANTED,
      detail: `${ratio.toFixed(2)} times`,
    },
  ])
}
