import type { Executor, StoredTensor } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import { draws } from 'rlvi/random'
import type { DataSet } from '../data/data-set.js'
import { type Samples, subset } from '../data/image-set.js'
import { openLoader } from '../data/loading/loader.js'
import { isFixed, type Transform } from '../data/loading/transform.js'
import { range, shuffle } from '../data/split.js'
import { evaluationOf } from '../training/data-splits.js'
import { methodOf } from '../training/method.js'
import type { MethodName } from '../training/methods.js'
import { openRun } from '../training/run.js'
import type { Settings } from '../training/settings.js'
import { type Ensemble, type EnsembleScores, ensemble } from './ensemble-scores.js'

/** Which labels are scored, and by which networks. */
export interface AuditOptions {
  /** Which labels to score. Those of the training images are scored by networks that were not trained on them. */
  readonly split: 'train' | 'test'
  /** How the networks are trained; see `settingsFor`. */
  readonly settings: Settings
  readonly method: MethodName
  /** The assumed share of wrong labels, for methods that need one. */
  readonly assumed?: number
  readonly executor: Executor
  /** For the training split: into how many parts it is cut, each scored by a network trained on the others. */
  readonly folds: number
  /** The size of the ensemble: networks from different seeds whose scores are averaged. */
  readonly networks: number
  /** See `RunOptions`. */
  readonly warmUp: boolean
  readonly seed: number
  readonly weights?: ReadonlyMap<string, StoredTensor>
  readonly onProgress?: (share: number) => void
}

/** The scored labels of a data set. */
export interface Audit extends EnsembleScores {
  /** The images whose labels were scored. */
  readonly samples: Samples
  readonly seconds: number
}

/** Epochs whose networks score: the last quarter, in which the rate is low and they have settled. */
function scores(epoch: number, epochs: number): boolean {
  return epoch > (3 * epochs) / 4
}

/** How often each of them scores an image, moved a little otherwise each time (test-time augmentation). */
const VIEWS = 6

/**
 * Trains robustly, and scores every label by networks that were not trained on it.
 *
 * @example
 * const data = await loadData('photos')
 * const settings = settingsFor(data.name, data.train)
 * const { order, suggested, samples } = await audit(data, {
 *   split: 'train', settings, method: 'rlvi', executor: onnxExecutor(),
 *   folds: 3, networks: 1, warmUp: true, seed: 0,
 * })
 * for (const i of order.slice(0, 20)) console.log(samples.paths?.[i], data.classes[suggested[i]])
 */
export async function audit(given: DataSet, options: AuditOptions): Promise<Audit> {
  const started = performance.now()
  const data = asGiven(given)
  const { split, seed, networks } = options
  const samples = split === 'test' ? testOf(data) : data.train
  const n = samples.labels.length
  const scored = ensemble(n, data.classes.length)
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
    await trainAndScore({ ...data, train: task.train }, samples, task.places, scored, {
      ...options,
      seed: task.seed,
      onProgress,
    })
  }
  return { ...scored.scores(samples.labels), samples, seconds: (performance.now() - started) / 1000 }
}

/** Trains one network, and adds its scores of the samples after each of the later epochs. */
async function trainAndScore(
  data: DataSet,
  samples: Samples,
  places: Int32Array,
  into: Ensemble,
  options: AuditOptions,
): Promise<void> {
  const { seed, weights, onProgress } = options
  // The rate falls to nothing, however few epochs there are, so that the last networks are the best.
  const settings: Settings = { ...options.settings, schedule: 'cosine' }
  // The labels that are scored are no test, and any other test would only take time.
  const { test: _, ...rest } = data
  const { preparation } = data
  const shifted = moved(preparation.train, samples)
  const run = await openRun({
    data: { ...rest, preparation: { ...preparation, train: shifted } },
    settings,
    method: methodOf(options.method, options.assumed),
    executor: options.executor,
    warmUp: options.warmUp,
    seed,
    ...(weights === undefined ? {} : { weights }),
    onProgress: ({ epoch, step, steps }) => onProgress?.((epoch - 1 + step / steps) / settings.epochs),
  })
  const loader = openLoader(samples, { batch: settings.batch, seed })
  try {
    for await (const { epoch } of run.training.epochs()) {
      if (!scores(epoch, settings.epochs)) continue
      for (let view = 0; view < VIEWS; view++) {
        const rows = evaluationOf(loader, places, shifted, { epoch: view })
        into.add(places, (await run.training.evaluate(rows)).probabilities)
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
  throw new RlviError('split', `${name} has no test images`, 'test', 'choose train')
}

/** Parts of nearly equal size, drawn by the seed, each in ascending order. */
export function foldsOf(n: number, folds: number, seed: number): Int32Array[] {
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= n))
    throw new RlviError('folds', `a whole number from 2 to ${n} is needed`, folds)
  const order = shuffle(range(n), draws(seed, 'folds'))
  return Array.from({ length: folds }, (_, k) =>
    order.slice(Math.floor((k * n) / folds), Math.floor(((k + 1) * n) / folds)).sort(),
  )
}

function without(n: number, places: Int32Array): Int32Array {
  const out = new Set(places)
  return range(n).filter((i) => !out.has(i))
}
