import type { DataSet } from '../data/data-set.js'
import { subset } from '../data/image-set.js'
import { range } from '../data/split.js'
import { methodOf } from '../training/method.js'
import { openRun } from '../training/run.js'
import { type AuditOptions, asGiven, scores, VIEWS } from './audit.js'

/** Steps that are timed, fewer of large networks, whose steps are long, and the part of the images that is trained on. */
const STEPS = 4
const LONG_STEPS = 2
const TRAINED = 0.9
/** What an image costs that is only looked at, in parts of one that is learned from. */
const LOOK = 1 / 2

/**
 * About how many seconds an audit will take: a few steps of its training are done on some of its images, and timed.
 * Undefined where there are too few images for one step.
 */
export async function auditDuration(given: DataSet, options: AuditOptions): Promise<number | undefined> {
  const data = asGiven(given)
  const { settings, seed } = options
  const n = data.train.labels.length
  // As many as make whole batches, since another size would be compiled first.
  const most = settings.network === 'lenet' ? STEPS : LONG_STEPS
  const steps = Math.min(most, Math.floor((TRAINED * n) / settings.batch))
  if (steps === 0) return undefined
  const some = Math.min(n, Math.ceil((steps * settings.batch) / TRAINED))
  const { test: _, ...rest } = data
  const run = await openRun({
    data: { ...rest, train: subset(data.train, range(some)) },
    settings: { ...settings, epochs: 2 },
    method: methodOf(options.method, options.assumed),
    executor: options.executor,
    warmUp: options.warmUp,
    seed,
  })
  try {
    let seconds = 0
    // The first epoch also compiles and loads; the last one counts.
    for await (const metrics of run.training.epochs()) seconds = metrics.seconds
    return (seconds / some) * work(n, data.test?.labels.length ?? 0, options)
  } finally {
    await run.close()
  }
}

/** All images that are learned from or looked at, the latter by their part. */
function work(train: number, test: number, { split, folds, networks, settings }: AuditOptions): number {
  const { epochs } = settings
  const scoring = range(epochs).filter((k) => scores(k + 1, epochs)).length
  const runs = split === 'test' ? networks : networks * folds
  const learned = split === 'test' ? train : (train * (folds - 1)) / folds
  const judged = split === 'test' ? test : train / folds
  return runs * (epochs * learned + LOOK * scoring * VIEWS * judged)
}
