/**
 * What networks that are trained on sets of images of one's own get right of images that they have not seen: digits, which are easy to tell apart, and
 * garments, some of which look alike; 100 to 1,000 of each of ten classes, clean and with wrong labels of three kinds. LeNet, in per cent of 3,000 test
 * images, after the last epoch.
 *
 *   node bench/dist/quality/own-accuracy.js --runs 2 --seed 51 --only fashion-mnist
 */
import { onnxExecutor } from '@rlvi/nn'
import { type Method, posterior, rlvi, standard } from '@rlvi/nn/methods'
import { type DataSet, type ImageSet, isInMemory, loadData, openRun, ownSettings } from '@rlvi/vision'
import { seeded } from 'rlvi/random'
import { say } from '../measure.js'
import { isProgram, runOptions, table } from './program.js'
import { anyOther, someImages } from './some-images.js'

const CLASSES = 10
const next = (share: number) => (own: number, random: () => number) =>
  random() < share ? (own + 1) % CLASSES : own

const noises: Readonly<Record<string, (own: number, random: () => number) => number>> = {
  clean: (own) => own,
  'any other label, 20 %': anyOther(0.2, CLASSES),
  'the next label, 20 %': next(0.2),
  'the next label, 40 %': next(0.4),
  'the next label in every other class, 20 %': (own, random) =>
    own % 2 === 0 ? next(0.2)(own, random) : own,
  'the next label in every other class, 40 %': (own, random) =>
    own % 2 === 0 ? next(0.4)(own, random) : own,
}
const methods: Readonly<Record<string, () => Method>> = { posterior, standard, rlvi }
const TESTED = 3000

/** The first images of a test set. */
function tested({ test }: DataSet): ImageSet {
  if (test === undefined || !isInMemory(test)) throw new Error('the test images must be in memory')
  const size = test.pixels.length / test.labels.length
  const [pixels, labels] = [test.pixels.subarray(0, TESTED * size), test.labels.subarray(0, TESTED)]
  return { ...test, pixels, labels }
}

interface Learned {
  readonly accuracy: number
  readonly level: number | undefined
}

const executor = onnxExecutor({ threads: 1 })

async function learn(data: DataSet, method: Method, seed: number): Promise<Learned> {
  const settings = ownSettings('lenet', data.train.labels.length)
  const run = await openRun({ data, settings, method, executor, warmUp: true, seed })
  for await (const _ of run.training.epochs());
  const { history, level } = run.training.state
  await run.close()
  return { accuracy: history.at(-1)!.test!, level }
}

const percent = (share: number): string => (100 * share).toFixed(1)

async function main(): Promise<void> {
  const { runs, seed, only } = runOptions(2)
  const rows: string[][] = []
  for (const name of ['mnist', 'fashion-mnist'].filter((each) => only.length === 0 || only.includes(each))) {
    const given = await loadData(name)
    const test = tested(given)
    for (const each of [100, 300, 1000])
      for (const [noise, labelOf] of Object.entries(noises)) {
        const found = new Map(Object.keys(methods).map((method): [string, string[]] => [method, []]))
        const levels: string[] = []
        for (let own = seed; own < seed + runs; own++) {
          const random = seeded(own, 'accuracy of images', name, each, noise)
          const { data, wrong } = someImages(given, Array(CLASSES).fill(each), labelOf, random)
          for (const [method, make] of Object.entries(methods)) {
            const { accuracy, level } = await learn({ ...data, test }, make(), own)
            found.get(method)!.push(percent(accuracy))
            if (method === 'posterior')
              levels.push(`${percent(level!)} (${percent(wrong.size / data.train.labels.length)})`)
          }
        }
        rows.push([
          `${name}, ${each} of each, ${noise}`,
          ...[...found.values()].map((all) => all.join(', ')),
          levels.join(', '),
        ])
        say(rows.at(-1)!.join(' | '))
      }
  }
  say('test accuracy in %')
  table(['images', ...Object.keys(methods), "posterior's level (true)"], rows)
}

if (isProgram(import.meta.url)) await main()
