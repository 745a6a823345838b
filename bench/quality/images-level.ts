/**
 * The level and its interval for sets of images of one's own: digits, which are easy to tell apart, and garments, some of which look alike; 30 to
 * 1,000 of each class, of ten classes, three or two; clean, and with labels that are any other, the next one, or the next one of every other class.
 * Audited in three folds, and trained on.
 *
 *   node bench/dist/quality/images-level.js --runs 1 --seed 21 --only fashion-mnist
 */
import { loadData } from '@rlvi/vision'
import { seeded } from 'rlvi/random'
import { say } from '../measure.js'
import { auditOwn, type Trained, trainOwn } from './own-images.js'
import { isProgram, runOptions, table, verdict } from './program.js'
import { anyOther, someImages } from './some-images.js'

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

type Told = Pick<Trained, 'level' | 'interval'>

const percent = (share: number): string => (100 * share).toFixed(1)
const shown = ({ level, interval }: Told): string =>
  `${percent(level)}${interval === undefined ? '' : ` (${interval.map(percent).join(' to ')})`}`

async function main(): Promise<void> {
  const { runs, seed, only } = runOptions(1)
  const rows: string[][] = []
  const told = {
    audit: { held: 0, intervals: 0, off: 0, sets: 0 },
    training: { held: 0, intervals: 0, off: 0, sets: 0 },
  }
  const count = (which: keyof typeof told, truth: number, { level, interval }: Told): void => {
    const sums = told[which]
    sums.sets++
    sums.off += Math.abs(level - truth)
    if (interval === undefined) return
    sums.intervals++
    if (interval[0] <= truth + OWN && truth <= interval[1]) sums.held++
  }
  for (const name of ['mnist', 'fashion-mnist'].filter((each) => only.length === 0 || only.includes(each))) {
    const given = await loadData(name)
    for (const [each, chosen] of sizes)
      for (const [noise, labelOf] of Object.entries(noises))
        for (const share of SHARES.filter((share) => share > 0 || noise === 'any other'))
          for (let own = seed; own < seed + runs; own++) {
            const counts = given.classes.map((_, c) => (chosen.includes(c) ? each : 0))
            const random = seeded(own, 'level of images', name, each, chosen.length, noise, share)
            const { data, wrong } = someImages(given, counts, labelOf(share, chosen.length), random)
            const n = data.train.labels.length
            const truth = wrong.size / n
            const [found, learned] = [await auditOwn(data, own), await trainOwn(data, own)] as const
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
    Object.entries(told).map(([which, { held, intervals, off, sets }]) => ({
      name: `${which}: intervals hold the truth in nine of ten sets`,
      holds: intervals > 0 && held >= 0.9 * intervals,
      detail: `${held} of ${intervals}; the level is ${(off / Math.max(1, sets)).toFixed(3)} off on average, in ${sets}`,
    })),
  )
}

if (isProgram(import.meta.url)) await main()
