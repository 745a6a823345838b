/**
 * The level and its interval for sets of images of one's own: digits, which are easy to tell apart, and garments, some of which look alike; 30 to
 * 1,000 of each class, of ten classes, three or two; clean, and with labels that are any other, the next one, or the next one of every other class.
 * Audited in three folds, and trained on.
 *
 *   node bench/dist/quality/images-level.js --runs 1 --seed 21 --only fashion-mnist
 */
import { onnxExecutor } from '@rlvi/nn'
import { posterior } from '@rlvi/nn/methods'
import { audit, type DataSet, loadData, openRun, ownSettings, type Settings } from '@rlvi/vision'
import { seeded } from 'rlvi/random'
import { say } from '../measure.js'
import { isProgram, runOptions, table, verdict } from './program.js'
import { anyOther, someDigits } from './some-digits.js'

type LabelOf = (own: number, random: () => number) => number

const noises: Readonly<Record<string, (share: number, classes: number) => LabelOf>> = {
  'any other': anyOther,
  next: (share, classes) => (own, random) => (random() < share ? (own + 1) % classes : own),
  'next of every other': (share, classes) => (own, random) =>
    own % 2 === 0 && random() < share ? (own + 1) % classes : own,
}
const SHARES = [0, 0.05, 0.2, 0.4]
/** Images of each class, and which classes. Three of the ten garments are shirts of some kind, and two of them are the hardest to tell apart. */
const sizes: readonly (readonly [number, readonly number[]])[] = [
  [30, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [100, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [300, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [1000, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [1000, [3, 5, 8]],
  [300, [4, 6]],
]
/** Of the sets' own labels a few are wrong. */
const OWN = 0.002

const executor = onnxExecutor({ threads: 1 })

interface Told {
  readonly level: number
  readonly interval: readonly [number, number] | undefined
}

async function audited(data: DataSet, settings: Settings, seed: number): Promise<Told> {
  return await audit(data, {
    ...{ split: 'train', folds: 3, networks: 1, warmUp: false, method: 'posterior' },
    ...{ settings, executor, seed },
  })
}

async function trained(data: DataSet, settings: Settings, seed: number): Promise<Told> {
  const run = await openRun({ data, settings, method: posterior(), executor, warmUp: true, seed })
  for await (const _ of run.training.epochs());
  const { level, interval } = run.training.state
  await run.close()
  return { level: level!, interval }
}

const percent = (share: number): string => (100 * share).toFixed(1)
const holds = (truth: number, { interval }: Told): boolean =>
  interval === undefined || (interval[0] <= truth + OWN && truth <= interval[1])
const shown = ({ level, interval }: Told): string =>
  `${percent(level)}${interval === undefined ? '' : ` (${interval.map(percent).join(' to ')})`}`

async function main(): Promise<void> {
  const { runs, seed, only } = runOptions(1)
  const rows: string[][] = []
  const told = { audit: [0, 0, 0], training: [0, 0, 0] }
  const count = (which: keyof typeof told, truth: number, found: Told): void => {
    told[which][0] += holds(truth, found) ? 1 : 0
    told[which][1] += 1
    told[which][2] += Math.abs(found.level - truth)
  }
  for (const name of ['mnist', 'fashion-mnist'].filter((each) => only.length === 0 || only.includes(each))) {
    const given = await loadData(name)
    for (const [each, chosen] of sizes)
      for (const [noise, labelOf] of Object.entries(noises))
        for (const share of SHARES.filter((share) => share > 0 || noise === 'any other'))
          for (let own = seed; own < seed + runs; own++) {
            const counts = given.classes.map((_, c) => (chosen.includes(c) ? each : 0))
            const random = seeded(own, 'level of images', name, each, chosen.length, noise, share)
            const { data, wrong } = someDigits(given, counts, labelOf(share, chosen.length), random)
            const n = data.train.labels.length
            const truth = wrong.size / n
            const settings = ownSettings('lenet', n)
            const [found, learned] = [
              await audited(data, settings, own),
              await trained(data, settings, own),
            ] as const
            count('audit', truth, found)
            count('training', truth, learned)
            const what = share === 0 ? 'clean' : `${noise}, ${percent(share)} %`
            rows.push([
              `${name}, ${chosen.length} x ${each}, ${what}`,
              percent(truth),
              shown(found),
              shown(learned),
            ])
          }
  }
  say('wrong labels in %, as audited and as trained on')
  table(['images', 'wrong', 'audit', 'training'], rows)
  verdict(
    Object.entries(told).map(([which, [held, all, off]]) => ({
      name: `${which}: the interval holds the truth in nine of ten sets`,
      holds: held >= 0.9 * all,
      detail: `${held} of ${all}; the level is ${(off / all).toFixed(3)} off on average`,
    })),
  )
}

if (isProgram(import.meta.url)) await main()
