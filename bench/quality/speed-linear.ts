/** The processor time of a linear fit: 10,000 x 20 against R's lmrob, and 1,000,000 x 20 against the paper's method. */
import { fit, linear, paper } from 'rlvi'
import { COLUMNS, linearData } from '../linear-data.js'
import { leastProcessorTime, ms, say } from '../measure.js'
import { runR, withFile } from '../yardstick.js'
import { type Criterion, isProgram, runOptions, table, verdict } from './program.js'
import { refuseUnknown } from './statistics.js'

const MIDDLE = 10_000
const LARGE = 1_000_000
/** The engine compiles what runs often: so many fits, and it has. */
const WARM = 12
/** Multiples of lmrob's time, and of the paper's fit. */
const OF_LMROB = 0.5
const OF_PAPER = 4

function against(
  what: string,
  rows: number,
  yardstick: { readonly name: string; readonly time: number },
  time: number,
  wanted: number,
): Criterion {
  const ratio = time / yardstick.time
  table(
    [`${rows} x ${COLUMNS}`, 'time', 'ratio'],
    [
      [yardstick.name, ms(yardstick.time), ''],
      ['calibrated', ms(time), ratio.toFixed(2)],
    ],
  )
  return { name: what, holds: ratio <= wanted, detail: `${ratio.toFixed(2)} times` }
}

function middle(runs: number, seed: number): Criterion[] {
  const { x, y } = linearData(MIDDLE, seed)
  const fitted = () => fit(linear(), { x, y })
  // Some to compile it first, as lmrob is.
  leastProcessorTime(WARM, fitted)
  const time = leastProcessorTime(runs, fitted)
  const outcome = withFile([x.values, y], (path) =>
    runR<{ processor: number }>('lmrob.R', 'robustbase', [path, MIDDLE, COLUMNS, runs].map(String)),
  )
  if (outcome?.kind !== 'done') {
    if (outcome?.kind === 'too-slow') say('  skipped: lmrob took more than three minutes')
    say(`  calibrated, ${MIDDLE} x ${COLUMNS}: ${ms(time)}`)
    return []
  }
  const yardstick = { name: 'lmrob', time: outcome.result.processor }
  return [
    against(
      `at most ${OF_LMROB} times lmrob's time at ${MIDDLE} x ${COLUMNS}`,
      MIDDLE,
      yardstick,
      time,
      OF_LMROB,
    ),
  ]
}

function large(runs: number, seed: number): Criterion[] {
  const data = linearData(LARGE, seed)
  // One of each first, so that neither pays for compiling.
  paper(linear(), data)
  fit(linear(), data)
  const yardstick = { name: 'paper', time: leastProcessorTime(runs, () => paper(linear(), data)) }
  const time = leastProcessorTime(runs, () => fit(linear(), data))
  return [
    against(
      `at most ${OF_PAPER} times the paper's fit at ${LARGE} x ${COLUMNS}`,
      LARGE,
      yardstick,
      time,
      OF_PAPER,
    ),
  ]
}

if (isProgram(import.meta.url)) {
  const { runs, seed, only } = runOptions(3)
  refuseUnknown(only, ['middle', 'large'])
  const wanted = (part: string): boolean => only.length === 0 || only.includes(part)
  say(`linear regression, a fifth of the responses bad: the least processor time of ${runs} runs`)
  verdict([...(wanted('middle') ? middle(runs, seed) : []), ...(wanted('large') ? large(runs, seed) : [])])
}
