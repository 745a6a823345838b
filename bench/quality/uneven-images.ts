/**
 * Sets of images of one's own with few or uneven classes: two of them, a rare one, ten of very different size; clean, and with wrong labels
 * that go one way, up to most of a class. Audited in three folds, and trained on: the level, how many of the wrong labels are among as many first
 * ones, and which classes are named as taken for another.
 *
 *   node bench/dist/quality/uneven-images.js --runs 2 --seed 31 --only 'two classes,most of a class'
 */
import type { GivenUp } from '@rlvi/nn/methods'
import { loadData } from '@rlvi/vision'
import { seeded } from 'rlvi/random'
import { say } from '../measure.js'
import { auditOwn, trainOwn } from './own-images.js'
import { isProgram, runOptions, table, verdict } from './program.js'
import { anyOther, someImages } from './some-images.js'

type LabelOf = (own: number, random: () => number) => number

/** Images of each digit, and for some shares how labels go wrong. */
interface Kind {
  readonly each: Readonly<Record<number, number>>
  readonly shares: readonly number[]
  readonly labels: (share: number) => LabelOf
}

/** Of one class some are called another. */
const oneWay =
  (from: number, to: number) =>
  (share: number): LabelOf =>
  (own, random) =>
    own === from && random() < share ? to : own

const kinds: Readonly<Record<string, Kind>> = {
  'two classes': { each: { 3: 1000, 8: 1000 }, shares: [0, 0.05, 0.2, 0.4], labels: (s) => anyOther(s, 2) },
  'a rare class, called the other': { each: { 4: 3000, 9: 150 }, shares: [0, 0.3], labels: oneWay(1, 0) },
  'a rare class, which others are called': {
    each: { 4: 3000, 9: 150 },
    shares: [0.03],
    labels: oneWay(0, 1),
  },
  'ten of 2000 to 40': {
    each: { 0: 2000, 1: 1500, 2: 1000, 3: 700, 4: 500, 5: 300, 6: 200, 7: 100, 8: 60, 9: 40 },
    shares: [0, 0.1],
    labels: (s) => anyOther(s, 10),
  },
  'most of a class': {
    each: { 0: 1000, 1: 1000, 2: 1000, 3: 1000, 4: 1000 },
    shares: [0.4, 0.55, 0.7],
    labels: oneWay(4, 2),
  },
  'most of one of two': { each: { 4: 2000, 9: 2000 }, shares: [0.4, 0.55, 0.7], labels: oneWay(0, 1) },
}

/** Of MNIST's own labels a few are wrong. */
const OWN = 0.002

const percent = (share: number): string => (100 * share).toFixed(1)

async function main(): Promise<void> {
  const { runs, seed, only } = runOptions(1)
  const given = await loadData('mnist')
  const rows: string[][] = []
  const told: boolean[] = []
  for (const [kind, { each, shares, labels }] of Object.entries(kinds)) {
    if (only.length > 0 && !only.includes(kind)) continue
    for (const share of shares)
      for (let own = seed; own < seed + runs; own++) {
        const counts = given.classes.map((_, digit) => each[digit] ?? 0)
        const { data, wrong } = someImages(given, counts, labels(share), seeded(own, 'uneven images'))
        const n = data.train.labels.length
        const found = await auditOwn(data, own)
        const run = await trainOwn(data, own)
        const named = (classes: readonly GivenUp[]): string =>
          classes.map(({ label, like }) => `${data.classes[label]} as ${data.classes[like]}`).join(', ')
        const hits = Array.from(found.order.slice(0, wrong.size)).filter((i) => wrong.has(i)).length
        const [low, high] = run.interval!
        const truth = wrong.size / n
        told.push((low <= truth + OWN && truth <= high) || run.named.length > 0)
        rows.push([
          `${kind}, ${(100 * share).toFixed(0)} %`,
          String(own),
          percent(truth),
          percent(found.level),
          wrong.size === 0 ? '' : `${hits} of ${wrong.size}`,
          named(found.givenUp),
          `${percent(run.level)} (${percent(low)} to ${percent(high)})`,
          named(run.named),
        ])
      }
  }
  say('wrong labels in %, as audited and as trained on')
  table(['images', 'seed', 'wrong', 'audit', 'found', 'named', 'training', 'named'], rows)
  const missed = told.filter((holds) => !holds).length
  verdict([
    {
      name: "training's interval holds the truth, or a class is named",
      holds: missed === 0,
      detail: `${missed} of ${told.length} do not`,
    },
  ])
}

if (isProgram(import.meta.url)) await main()
