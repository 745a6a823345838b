import type { Executor, StoredTensor } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import { type Samples, subset } from '../data/image-set.js'
import type { DataSet } from '../data/load.js'
import { openLoader } from '../data/loader.js'
import { range, shuffle } from '../data/split.js'
import { stream } from '../random.js'
import { evaluationOf } from './materials.js'
import { methodOf } from './method-of.js'
import type { MethodName } from './methods.js'
import { openRun } from './run.js'
import type { Settings } from './settings.js'
import { type Judgement, type Opinions, opinions } from './suspicion.js'

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
  readonly seed: number
  readonly weights?: ReadonlyMap<string, StoredTensor>
  readonly onProgress?: (share: number) => void
}

/** The labels of a data set, judged. */
export interface Audit extends Judgement {
  readonly samples: Samples
  readonly seconds: number
}

/** Epochs whose networks are asked: the later half, in which they have learned what there is to learn. */
function asked(epoch: number, epochs: number): boolean {
  return epoch > epochs / 2
}

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
  const { settings, seed, weights, onProgress } = options
  // The labels that are looked at are no test, and any other test would only take time.
  const { test: _, ...rest } = data
  const run = await openRun({
    data: rest,
    settings,
    method: methodOf(options.method, options.assume),
    executor: options.executor,
    seed,
    ...(weights === undefined ? {} : { weights }),
    onProgress: ({ epoch, step, steps }) => onProgress?.((epoch - 1 + step / steps) / settings.epochs),
  })
  const loader = openLoader(samples, { batch: settings.batch, seed })
  try {
    const rows = evaluationOf(loader, places, data.preparation.test)
    for await (const { epoch } of run.training.epochs()) {
      if (!asked(epoch, settings.epochs)) continue
      found.add(places, (await run.training.evaluate(rows)).probabilities)
    }
  } finally {
    await loader.close()
    await run.close()
  }
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
  const order = shuffle(range(n), stream(seed, 'folds'))
  return Array.from({ length: folds }, (_, k) =>
    order.slice(Math.floor((k * n) / folds), Math.floor(((k + 1) * n) / folds)).sort(),
  )
}

function without(n: number, places: Int32Array): Int32Array {
  const out = new Set(places)
  return range(n).filter((i) => !out.has(i))
}
