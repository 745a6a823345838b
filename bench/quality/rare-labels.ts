/**
 * A set of images with few wrong labels and classes that look alike: 50 of the labels of Fashion-MNIST's 10,000 test images are replaced by any
 * other, and an audit ranks all of them by networks that were trained on the training images. How many of the 50 are among the first 100 by
 * P(right), as `rlvi audit` ranks, and by the label's own probability.
 *
 *   node bench/dist/quality/rare-labels.js --runs 2 --seed 1 --only posterior,standard
 */
import { onnxExecutor } from '@rlvi/nn'
import { type AuditOptions, audit, type DataSet, loadData, settingsFor } from '@rlvi/vision'
import { seeded } from 'rlvi/random'
import { say } from '../measure.js'
import { isProgram, runOptions, table } from './program.js'

const WRONG = 50
const FIRST = 100
const METHODS: readonly AuditOptions['method'][] = ['posterior', 'standard']

/** The set with some labels of its test images replaced by any other, and which these are. */
function withWrongLabels(
  data: DataSet,
  seed: number,
): { readonly data: DataSet; readonly wrong: Set<number> } {
  const test = data.test!
  const labels = test.labels.slice()
  const random = seeded(seed, 'rare labels')
  const wrong = new Set<number>()
  while (wrong.size < WRONG) {
    const i = Math.floor(random() * labels.length)
    if (wrong.has(i)) continue
    wrong.add(i)
    labels[i] = (labels[i] + 1 + Math.floor(random() * (data.classes.length - 1))) % data.classes.length
  }
  return { data: { ...data, test: { ...test, labels } }, wrong }
}

async function main(): Promise<void> {
  const { runs, seed, only } = runOptions(1)
  const given = await loadData('fashion-mnist')
  const settings = { ...settingsFor(given.name, given.train), epochs: 8 }
  const rows: string[][] = []
  for (let run = 0; run < runs; run++) {
    const { data, wrong } = withWrongLabels(given, seed + run)
    for (const method of METHODS.filter((name) => only.length === 0 || only.includes(name))) {
      const options = { split: 'test', folds: 2, networks: 1, warmUp: false } as const
      const found = await audit(data, {
        ...options,
        settings,
        method,
        executor: onnxExecutor({ threads: 1 }),
        seed: seed + run,
      })
      const byLoss = found.order.toSorted((a, b) => found.losses[b] - found.losses[a])
      const hits = (order: Int32Array): string =>
        String(order.slice(0, FIRST).filter((i) => wrong.has(i)).length)
      rows.push([
        method,
        String(seed + run),
        hits(found.order),
        hits(byLoss),
        `${(100 * found.level).toFixed(1)} %`,
      ])
    }
  }
  say(`${WRONG} of 10,000 labels are wrong; how many of them are among the first ${FIRST}`)
  table(['method', 'seed', 'by P(right)', "by the label's probability", 'its level'], rows)
}

if (isProgram(import.meta.url)) await main()
