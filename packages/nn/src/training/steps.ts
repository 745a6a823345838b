import { RlviError } from 'rlvi'
import type { Feeds, Fetches, Program } from '../executors/executor.js'
import { drawMasks } from '../executors/masks.js'
import type { TrainingBatch, TrainingData } from './data.js'
import { countCorrect } from './evaluate.js'
import type { Method } from './method.js'
import type { TrainingState } from './state.js'

/** What a step needs that does not change within an epoch. */
export interface StepsOptions {
  readonly method: Method
  readonly data: TrainingData
  readonly classes: number
  readonly seed: number
  readonly epoch: number
  readonly rates: Readonly<Record<string, number>>
  /** What to do where the losses are no longer numbers. */
  readonly advice: string
  /** The program for batches of this size. */
  program(batch: number): Promise<Program>
  /** Called after the steps of each call to the executor. True stops there. */
  paused(): Promise<boolean>
}

/** Small steps are run many in a call: as many as have this much input together (bytes), and no more than this. */
const CALL_BYTES = 2 ** 23
const CALL_STEPS = 64
/** With fewer steps in a call than this, one at a time is as good and needs less memory. */
const WORTH_A_CALL = 8

interface Pending {
  readonly indices: Int32Array
  readonly feeds: Feeds
}

/**
 * The steps of an epoch, from the state's step on. Calls begin at the same steps however often the epoch was interrupted,
 * so that the numbers are the same. Returns false if it was stopped before the end.
 */
export async function runSteps(state: TrainingState, options: StepsOptions): Promise<boolean> {
  const { data, method, epoch } = options
  const full = Math.min(data.batch, data.samples)
  const perEpoch = Math.ceil(data.samples / data.batch)
  let pending: Pending[] = []

  const flush = async (): Promise<boolean> => {
    if (pending.length === 0) return false
    const started = performance.now()
    const program = await options.program(pending[0].indices.length)
    const all = await program.runMany(pending.map(({ feeds }) => feeds))
    all.forEach((fetches, k) => {
      observe(state, options, pending[k], fetches, state.step + k + 1)
    })
    state.step += pending.length
    state.seconds += (performance.now() - started) / 1000
    pending = []
    return options.paused()
  }

  let started = performance.now()
  for await (const batch of data.batches(epoch, state.step)) {
    const step = state.step + pending.length
    checkBatch(batch, step === perEpoch - 1 ? data.samples - step * data.batch : full, step, perEpoch)
    const { graph } = await options.program(batch.indices.length)
    const indices = batch.indices.slice()
    const masks = drawMasks(graph, options.seed, (epoch - 1) * perEpoch + step)
    const feeds: Feeds = {
      x: batch.x.slice(),
      y: batch.y.slice(),
      ...options.rates,
      ...masks,
      ...method.feeds(state, { epoch, indices, graph }),
    }
    const last = indices.length < full
    state.seconds += (performance.now() - started) / 1000
    // A smaller batch has a program of its own.
    if (last && (await flush())) return false
    pending.push({ indices, feeds })
    if (pending.length >= stepsPerCall(4 * batch.x.length) && (await flush())) return false
    started = performance.now()
  }
  await flush()
  if (state.step !== perEpoch) {
    throw new RlviError('training data', `an epoch must have ${perEpoch} batches`, state.step)
  }
  return true
}

function stepsPerCall(bytes: number): number {
  const steps = Math.min(CALL_STEPS, Math.floor(CALL_BYTES / bytes))
  return steps < WORTH_A_CALL ? 1 : steps
}

function observe(
  state: TrainingState,
  { classes, method, epoch, advice }: StepsOptions,
  { indices, feeds }: Pending,
  { losses, logits, kept }: Fetches,
  step: number,
): void {
  for (let k = 0; k < indices.length; k++) {
    if (!Number.isFinite(losses[k])) {
      const todo = `in epoch ${epoch}, step ${step}: ${advice}`
      throw new RlviError('training', 'losses must be finite numbers', losses[k], todo)
    }
    state.losses[indices[k]] = losses[k]
    if (method.keeps === 'batch') state.kept[indices[k]] = kept[k]
  }
  state.correct += countCorrect(logits, feeds.y as Int32Array, classes)
}

function checkBatch({ indices, y }: TrainingBatch, size: number, step: number, perEpoch: number): void {
  if (step >= perEpoch)
    throw new RlviError('training data', `an epoch must have ${perEpoch} batches`, step + 1)
  if (indices.length !== size || y.length !== size) {
    throw new RlviError('training data', `batch ${step} must have ${size} samples`, indices.length)
  }
}
