import type { Executor, StoredTensor } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import { draws } from 'rlvi/random'
import { type Samples, subset } from '../data/image-set.js'
import type { DataSet } from '../data/load.js'
import { openLoader } from '../data/loading/loader.js'
import { isFixed, type Transform } from '../data/loading/transform.js'
import { range, shuffle } from '../data/split.js'
import { evaluationOf } from '../training/data-splits.js'
import { methodOf } from '../training/method.js'
import type { MethodName } from '../training/methods.js'
import { openRun } from '../training/run.js'
import type { Settings } from '../training/settings.js'
import { type Judgement, type Opinions, opinions } from './ensemble-scores.js'

export interface AuditOptions {
  /** Which labels to look at. Those to train on are judged by networks that did not see them. */
  readonly split: 'train' | 'test'
  readonly settings: Settings
  readonly method: MethodName
  /** The share of wrong labels, for methods that must be told. */
  readonly assume?: number
  readonly executor: Executor
  /** For the training split: into how many parts it is cut, each judged by a network trained on the others. */
  readonly folds: number
  /** Networks, from different seeds, whose opinions are put together. */
  readonly networks: number
  /** See `RunOptions`. */
  readonly patient: boolean
  readonly seed: number
  readonly weights?: ReadonlyMap<string, StoredTensor>
  readonly onProgress?: (share: number) => void
}

/** The labels of a data set, judged. */
export interface Audit extends Judgement {
  readonly samples: Samples
  readonly seconds: number
}

/** Epochs whose networks are asked: the last quarter, in which the rate is low and they have settled. */
function asked(epoch: number, epochs: number): boolean {
  return epoch > (3 * epochs) / 4
}

/** How often each of them is asked, each time about the image moved a little otherwise: one look may be misled. */
const VIEWS = 6

/** Trains robustly, and looks for labels that the networks do not believe. */
export async function audit(given: DataSet, options: AuditOptions): Promise<Audit> {
  const started = performance.now()
  const data = asGiven(given)
  const { split, seed, networks } = options
  const samples = split === 'test' ? testOf(data) : data.train
  const n = samples.labels.length
  const found = opinions(n, data.classes.length)
  const tasks = Array.from({ length: networks }, (_, k) => seed + k).flatMap((own) =>
    split === 'test'
      ? [{ seed: own, train: data.train, places: range(n) }]
      : foldsOf(n, options.folds, own).map((places) => ({
          seed: own,
          train: subset(data.train, without(n, places)),
          places,
        })),
  )
  for (const [k, task] of tasks.entries()) {
    const onProgress = (share: number): void => options.onProgress?.((k + share) / tasks.length)
    await ask({ ...data, train: task.train }, samples, task.places, found, {
      ...options,
      seed: task.seed,
      onProgress,
    })
  }
  return { ...found.judge(samples.labels), samples, seconds: (performance.now() - started) / 1000 }
}

/** Trains one network, and adds what it says of the samples after each of the later epochs. */
async function ask(
  data: DataSet,
  samples: Samples,
  places: Int32Array,
  found: Opinions,
  options: AuditOptions,
): Promise<void> {
  const { seed, weights, onProgress } = options
  // The rate falls to nothing, however few epochs there are, so that the last networks are the best.
  const settings: Settings = { ...options.settings, schedule: 'cosine' }
  // The labels that are looked at are no test, and any other test would only take time.
  const { test: _, ...rest } = data
  const { preparation } = data
  const shifted = moved(preparation.train, samples)
  const run = await openRun({
    data: { ...rest, preparation: { ...preparation, train: shifted } },
    settings,
    method: methodOf(options.method, options.assume),
    executor: options.executor,
    patient: options.patient,
    seed,
    ...(weights === undefined ? {} : { weights }),
    onProgress: ({ epoch, step, steps }) => onProgress?.((epoch - 1 + step / steps) / settings.epochs),
  })
  const loader = openLoader(samples, { batch: settings.batch, seed })
  try {
    for await (const { epoch } of run.training.epochs()) {
      if (!asked(epoch, settings.epochs)) continue
      for (let view = 0; view < VIEWS; view++) {
        const rows = evaluationOf(loader, places, shifted, { epoch: view })
        found.add(places, (await run.training.evaluate(rows)).probabilities)
      }
    }
  } finally {
    await loader.close()
    await run.close()
  }
}

/** The set's own way to vary its images; those that are always the same are shifted by up to a fourteenth. */
function moved(transform: Transform, { width }: Samples): Transform {
  return isFixed(transform) ? { ...transform, padding: Math.round(width / 14) } : transform
}

/** With the labels that people gave in place of the true ones, where the set is about those. */
function asGiven(data: DataSet): DataSet {
  if (data.open)
    throw new RlviError('audit', 'a data set with labels of its own is needed', data.name, 'try cifar100')
  const { human, ...rest } = data
  return human === undefined ? data : { ...rest, train: { ...data.train, labels: human.given } }
}

function testOf({ name, test }: DataSet): Samples {
  if (test !== undefined) return test
  throw new RlviError('--split', `${name} has no test images`, 'test', 'leave it out')
}

/** Parts of nearly equal size, drawn by the seed, each in ascending order. */
export function foldsOf(n: number, folds: number, seed: number): Int32Array[] {
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= n))
    throw new RlviError('--folds', `a whole number from 2 to ${n} is needed`, folds)
  const order = shuffle(range(n), draws(seed, 'folds'))
  return Array.from({ length: folds }, (_, k) =>
    order.slice(Math.floor((k * n) / folds), Math.floor(((k + 1) * n) / folds)).sort(),
  )
}

function without(n: number, places: Int32Array): Int32Array {
  const out = new Set(places)
  return range(n).filter((i) => !out.has(i))
}
