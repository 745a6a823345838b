/** Whether P(good) and the fit agree: the fit is what the rows give with these weights, and bad rows do not matter. */
import { linear, type Supervised, takeRows } from 'rlvi'
import { say } from '../measure.js'
import { workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import type { NamedSet } from './real-sets.js'
import { answerOf, distanceInErrors } from './same-answer.js'
import { type SetTask, setOf, setTasks } from './set-tasks.js'
import { smallSet } from './small-sets.js'

const SIZE = { rows: [30, 300], columns: [1, 8] } as const
/** In standard errors: of least squares weighted by P(good), and of a fit without the bad rows. */
export const REFIT = 0.1
export const WITHOUT = 0.2
/** Below this P(good) a row must not matter. */
const BAD = 0.01

export interface AgreementOutcome {
  readonly name: string
  readonly law: string
  readonly level: number
  /** From least squares weighted by P(good), in standard errors. */
  readonly refit: number
  /** From the fit without the rows of P(good) below .01, in standard errors. */
  readonly without: number
  readonly bad: number
}

export function agreementOutcome({ name, data }: NamedSet): AgreementOutcome {
  const answer = answerOf(data)
  const refit = linear().fit(data, answer.clean)
  const kept = Array.from(answer.clean.keys()).filter((i) => answer.clean[i] >= BAD)
  const bad = data.y.length - kept.length
  return {
    name,
    law: answer.law,
    level: answer.level,
    refit: distanceInErrors([refit.intercept, ...refit.coefficients], answer),
    without: bad === 0 ? 0 : distanceInErrors(answerOf(rowsOf(data, kept)).coefficients, answer),
    bad,
  }
}

function rowsOf({ x, y }: Supervised, rows: readonly number[]): Supervised {
  return { x: takeRows(x, rows), y: Float64Array.from(rows, (row) => y[row]) }
}

/** Under another law than the normal the rows have weights of that law too, and least squares is not the fit. */
export function isNormal({ law }: AgreementOutcome): boolean {
  return law === '-' || law === 'normal'
}

export function work(task: SetTask): AgreementOutcome {
  return agreementOutcome(setOf(task, (seed, run) => smallSet(seed, run, SIZE)))
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const outcomes = await workOff(import.meta.url, work, setTasks(runs, seed, only))
  const failed = outcomes.filter((o) => (isNormal(o) && !(o.refit <= REFIT)) || !(o.without <= WITHOUT))
  say('P(good) against the fit, in standard errors; the sets where they disagree:')
  table(
    ['set', 'law', 'level', 'from weighted least squares', 'from the fit without bad rows', 'bad rows'],
    failed.map((o) => [
      o.name,
      o.law,
      o.level.toFixed(3),
      o.refit.toFixed(2),
      o.without.toFixed(2),
      String(o.bad),
    ]),
  )
  const others = outcomes.filter((o) => !isNormal(o))
  if (others.length > 0) {
    const most = others.reduce((a, b) => (b.refit > a.refit ? b : a))
    say(
      `  under other laws than the normal (${others.length} sets): at most ${most.refit.toFixed(2)}, ${most.name}`,
    )
  }
  const criterion = (
    name: string,
    some: readonly AgreementOutcome[],
    holds: (o: AgreementOutcome) => boolean,
  ): Criterion => {
    const bad = some.filter((o) => !holds(o)).length
    return {
      name,
      holds: bad === 0,
      detail: bad === 0 ? `${some.length} sets` : `not on ${bad} of ${some.length} sets`,
    }
  }
  verdict([
    criterion(
      `normal law: within ${REFIT} standard errors of least squares weighted by P(good)`,
      outcomes.filter(isNormal),
      (o) => o.refit <= REFIT,
    ),
    criterion(
      `without the rows of P(good) < ${BAD}: within ${WITHOUT} standard errors`,
      outcomes,
      (o) => o.without <= WITHOUT,
    ),
  ])
}

if (isProgram(import.meta.url)) await main(runOptions(140))
