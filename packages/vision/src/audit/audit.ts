import type { Executor, StoredTensor } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import { draws } from 'rlvi/random'
import type { DataSet } from '../data/data-set.js'
import { fingerprint } from '../data/fingerprint.js'
import { type Samples, subset } from '../data/image-set.js'
import { openLoader } from '../data/loading/loader.js'
import { isFixed, type Transform } from '../data/loading/transform.js'
import { range, shuffle } from '../data/split.js'
import { checkpointFile, removeCheckpoint } from '../training/checkpoint-file.js'
import { evaluationOf } from '../training/data-splits.js'
import { methodOf } from '../training/method.js'
import type { MethodName } from '../training/methods.js'
import { openRun } from '../training/run.js'
import type { Settings } from '../training/settings.js'
import { type AuditIdentity, auditStore } from './audit-state.js'
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
  /** A folder in which the audit is kept while it goes on. */
  readonly checkpoint?: string
  /** Ends it early: what was done is kept in the checkpoint. */
  readonly signal?: AbortSignal
  readonly onProgress?: (share: number) => void
}

/** The scored labels of a data set. */
export interface Audit extends EnsembleScores {
  /** The images whose labels were scored. */
  readonly samples: Samples
  readonly seconds: number
}

/** Epochs whose networks score: the last quarter, in which the rate is low and they have settled. */
export function scores(epoch: number, epochs: number): boolean {
  return epoch > (3 * epochs) / 4
}

/** How often each of them scores an image, moved a little otherwise each time (test-time augmentation). */
export const VIEWS = 6

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
  const samples = auditedSamples(data, split)
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
  const store =
    options.checkpoint === undefined
      ? undefined
      : auditStore(options.checkpoint, await identityOf(data, samples, options))
  const done = (await store?.restore(scored)) ?? { networks: 0, epoch: 0 }
  for (const [k, task] of tasks.entries()) {
    if (k < done.networks) continue
    await trainAndScore({ ...data, train: task.train }, samples, task.places, scored, {
      ...options,
      seed: task.seed,
      after: k === done.networks ? done.epoch : 0,
      onProgress: (share) => options.onProgress?.((k + share) / tasks.length),
      ...(store === undefined ? {} : { checkpoint: store.network(k) }),
      onScored: async (epoch) => store?.keep(scored, { networks: k, epoch }),
    })
    if (options.signal?.aborted) throw stopped(k, tasks.length)
    await store?.keep(scored, { networks: k + 1, epoch: 0 })
    if (store !== undefined) await removeCheckpoint(store.network(k))
  }
  return { ...scored.scores(samples.labels), samples, seconds: (performance.now() - started) / 1000 }
}

function stopped(done: number, networks: number): RlviError {
  const rule = `stopped before all ${networks} networks were trained`
  return new RlviError('audit', rule, done, 'the same with `resume` goes on')
}

/** What decides the numbers, beside the images: a checkpoint of another audit is refused. */
async function identityOf(
  data: DataSet,
  samples: Samples,
  { settings, split, folds, networks, seed, method, assumed }: AuditOptions,
): Promise<AuditIdentity> {
  const { network, epochs, batch, learningRate, weightDecay } = settings
  return {
    'data set': data.name,
    'images and labels': await fingerprint(samples),
    'size of the images': `${samples.channels} x ${samples.height} x ${samples.width}`,
    network,
    epochs,
    'batch size': batch,
    'learning rate': learningRate,
    'weight decay': weightDecay,
    method,
    'assumed level': assumed ?? 'none',
    split,
    folds,
    'number of networks': networks,
    seed,
  }
}

/** A network of an audit. */
interface TaskOptions extends AuditOptions {
  /** The last epoch that has scored before, where the run is taken up again. */
  readonly after: number
  onScored(epoch: number): Promise<void>
}

/** Trains one network, and adds its scores of the samples after each of the later epochs. */
async function trainAndScore(
  data: DataSet,
  samples: Samples,
  places: Int32Array,
  into: Ensemble,
  options: TaskOptions,
): Promise<void> {
  const { seed, weights, checkpoint, signal, after, onProgress, onScored } = options
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
    ...(checkpoint === undefined ? {} : { checkpoint: checkpointFile(checkpoint) }),
    ...(signal === undefined ? {} : { signal }),
    onProgress: ({ epoch, step, steps }) => onProgress?.((epoch - 1 + step / steps) / settings.epochs),
  })
  const loader = openLoader(samples, { batch: settings.batch, seed })
  const score = async (epoch: number): Promise<void> => {
    for (let view = 0; view < VIEWS; view++) {
      const rows = evaluationOf(loader, places, shifted, { epoch: view })
      into.add(places, (await run.training.evaluate(rows)).probabilities)
    }
    await onScored(epoch)
  }
  try {
    // An epoch that was over, but had not scored yet, when the audit was interrupted.
    const last = run.training.state.epoch
    if (run.training.state.step === 0 && last > after && scores(last, settings.epochs)) await score(last)
    for await (const { epoch } of run.training.epochs())
      if (scores(epoch, settings.epochs)) await score(epoch)
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
export function asGiven(data: DataSet): DataSet {
  if (data.open)
    throw new RlviError('audit', 'a data set with labels of its own is needed', data.name, 'try cifar100')
  const { human, ...rest } = data
  return human === undefined ? data : { ...rest, train: { ...data.train, labels: human.given } }
}

/** The images whose labels are scored. */
export function auditedSamples({ name, train, test }: DataSet, split: AuditOptions['split']): Samples {
  if (split === 'train') return train
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
