/** Tables of kinds that the method was not built on: is there a level whose interval misses the truth without a word? */
import { fitTable } from '@rlvi/estimator'
import { say } from '../measure.js'
import { pieces, workOff } from './pool.js'
import { isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { meanOf, mostFrequent, percent, refuseUnknown, shareOf } from './statistics.js'
import { STRANGE, strangeSet } from './strange-data.js'

const SHARES = [0, 0.05, 0.15] as const
/** Of 90 % intervals so many may miss without a word. */
const ALLOWED = 0.15

interface Task {
  readonly name: string
  readonly share: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

interface Reported {
  readonly level: number
  readonly low: number
  readonly high: number
  readonly holds: boolean
  readonly cautions: string
  readonly law: string
}

export function work({ name, share, seed, first, last }: Task): Reported[] {
  return Array.from({ length: last - first }, (_, k) => {
    const { columns, truth } = strangeSet(name, share, seed, first + k)
    const { model } = STRANGE[name]
    const { corruption, cautions, errors } = fitTable(columns, {
      model,
      ...(model === 'linear' ? { target: 'y' } : {}),
    })
    const { level = Number.NaN, interval: [low, high] = [0, 1] } = corruption
    const holds = low <= truth + 1e-9 && truth - 1e-9 <= high
    const about = [...new Set(cautions.map((caution) => caution.about))].join('+')
    return { level, low, high, holds, cautions: about || '-', law: errors?.name ?? '-' }
  })
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const names = Object.keys(STRANGE)
  refuseUnknown(only, names)
  const wanted = only.length === 0 ? names : names.filter((name) => only.includes(name))
  const cells = wanted.flatMap((name) => SHARES.map((share) => ({ name, share })))
  const tasks = cells.flatMap((cell) => pieces(runs, 5).map((part) => ({ ...cell, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  const found = cells.map(({ name, share }) => {
    const all = results.filter((_, k) => tasks[k].name === name && tasks[k].share === share).flat()
    const silent = shareOf(all.map(({ holds, cautions }) => !holds && cautions === '-'))
    return { name, share, all, silent }
  })
  say(`tables of kinds that the method was not built on, ${runs} runs of each`)
  table(
    ['kind', 'bad', 'level', 'from', 'to', 'coverage', 'silent misses', 'law', 'caution'],
    found.map(({ name, share, all, silent }) => [
      name,
      percent(share),
      meanOf(all.map(({ level }) => level)).toFixed(3),
      meanOf(all.map(({ low }) => low)).toFixed(3),
      meanOf(all.map(({ high }) => high)).toFixed(3),
      percent(shareOf(all.map(({ holds }) => holds))),
      percent(silent),
      mostFrequent(all.map(({ law }) => law)),
      mostFrequent(all.map(({ cautions }) => cautions)),
    ]),
  )
  verdict(
    wanted.map((name) => {
      const own = found.filter((cell) => cell.name === name)
      const silent = meanOf(own.map((cell) => cell.silent))
      const most = own.reduce((a, b) => (b.silent > a.silent ? b : a))
      return {
        name: `${name} (${STRANGE[name].words}): at most 15 % of the intervals miss the truth without a caution`,
        holds: silent <= ALLOWED,
        detail: `${percent(silent)}${most.silent > 0 ? `, most ${percent(most.silent)} at ${percent(most.share)} bad` : ''}`,
      }
    }),
  )
}

if (isProgram(import.meta.url)) await main(runOptions(5))
