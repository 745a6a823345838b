/** Labels of kinds that the method was not built on: does an interval miss the share of wrong ones without a word? */
import { fitTable } from '@rlvi/estimator'
import { say } from '../measure.js'
import { pieces, workOff } from './pool.js'
import { isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { chosen, meanOf, mostFrequent, percent, refuseUnknown, shareOf } from './statistics.js'
import { FLIPS, type FlipName, LABEL_KINDS, labelSet } from './strange-labels-data.js'

/** Of 90 % intervals so many may miss without a word. */
const ALLOWED = 0.15

interface Task {
  readonly name: string
  readonly flips: FlipName
  readonly seed: number
  readonly first: number
  readonly last: number
}

interface Reported {
  readonly level: number
  readonly low: number
  readonly high: number
  readonly truth: number
  readonly holds: boolean
  readonly cautions: string
  readonly seconds: number
}

export function work({ name, flips, seed, first, last }: Task): Reported[] {
  return Array.from({ length: last - first }, (_, k) => {
    const { columns, truth } = labelSet(name, flips, seed, first + k)
    const before = performance.now()
    const { corruption, cautions, status, remarks } = fitTable(columns, { target: 'label' })
    const seconds = (performance.now() - before) / 1000
    const { level = Number.NaN, interval: [low, high] = [0, 1] } = corruption
    const holds = low <= truth + 1e-9 && truth - 1e-9 <= high
    const about = [...new Set(cautions.map((caution) => caution.about))]
    const told: string[] = [...about, ...(status.kind === 'degenerate' ? [status.reason] : [])]
    // A remark, as it is no fault of the rows: what lies at the border is not counted.
    if (remarks.some((remark) => remark.includes('as a soft border explains'))) told.push('border')
    return { level, low, high, truth, holds, cautions: told.join('+') || '-', seconds }
  })
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const kinds = Object.keys(LABEL_KINDS)
  const flips = Object.keys(FLIPS) as FlipName[]
  refuseUnknown(only, kinds, flips)
  const cells = chosen(only, kinds).flatMap((name) =>
    chosen(only, flips).map((flip) => ({ name, flips: flip })),
  )
  const tasks = cells.flatMap((cell) => pieces(runs, 2).map((part) => ({ ...cell, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  const found = cells.map((cell) => {
    const all = results
      .filter((_, k) => tasks[k]!.name === cell.name && tasks[k]!.flips === cell.flips)
      .flat()
    return { ...cell, all, silent: shareOf(all.map(({ holds, cautions }) => !holds && cautions === '-')) }
  })
  say(`labels of kinds that the method was not built on, ${runs} runs of each`)
  const mean = (all: readonly Reported[], key: 'level' | 'low' | 'high' | 'truth'): string =>
    meanOf(all.map((one) => one[key])).toFixed(3)
  table(
    ['kind', 'flips', 'wrong', 'level', 'from', 'to', 'coverage', 'silent misses', 'caution', 's'],
    found.map(({ name, flips: how, all, silent }) => [
      name,
      how,
      mean(all, 'truth'),
      mean(all, 'level'),
      mean(all, 'low'),
      mean(all, 'high'),
      percent(shareOf(all.map(({ holds }) => holds))),
      percent(silent),
      mostFrequent(all.map(({ cautions }) => cautions)),
      Math.max(...all.map(({ seconds }) => seconds)).toFixed(1),
    ]),
  )
  verdict(
    chosen(only, flips).map((how) => {
      const own = found.filter((cell) => cell.flips === how)
      const silent = meanOf(own.map((cell) => cell.silent))
      const missed = own
        .filter((cell) => cell.silent > 0)
        .map((cell) => `${cell.name} ${percent(cell.silent)}`)
      return {
        name: `${how}: at most 15 % of the intervals miss the share of wrong labels without a word`,
        holds: silent <= ALLOWED,
        detail: `${percent(silent)}${missed.length === 0 ? '' : `: ${missed.join(', ')}`}`,
      }
    }),
  )
}

if (isProgram(import.meta.url)) await main(runOptions(4))
