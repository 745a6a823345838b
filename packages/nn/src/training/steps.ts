import { RlviError } from 'rlvi'
import type { Feeds, Fetches, Program, StoredBatch } from '../executors/executor.js'
import { drawMasks } from '../executors/masks.js'
import type { StoredTrainingBatch, TrainingBatch, TrainingData } from './data.js'
import { countCorrect } from './evaluate.js'
import type { BatchInfo, Method } from './method.js'
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
  readonly batch: BatchInfo
  /** The images, where the executor keeps them; otherwise they are among the feeds. */
  readonly x: StoredBatch | undefined
  readonly feeds: Feeds
}

/**
 * The steps of an epoch, from the state's step on. Calls begin at the same steps however often the epoch was interrupted,
 * so that the numbers are the same. While the executor is busy with one call, the next is made ready. Returns false if it was
 * stopped before the end.
 */
export async function runSteps(state: TrainingState, options: StepsOptions): Promise<boolean> {
  const { data, method, epoch } = options
  const full = Math.min(data.batch, data.samples)
  const perEpoch = Math.ceil(data.samples / data.batch)
  let pending: Pending[] = []
  let running: { readonly steps: readonly Pending[]; readonly done: Promise<readonly Fetches[]> } | undefined
  let started = performance.now()
  const lap = (): void => {
    const now = performance.now()
    state.seconds += (now - started) / 1000
    started = now
  }

  /** Waits for the call that is running. True stops there. */
  const settle = async (): Promise<boolean> => {
    if (!running) return false
    const { steps, done } = running
    running = undefined
    const all = await done
    all.forEach((fetches, k) => {
      observe(state, options, steps[k], fetches, state.step + k + 1)
    })
    state.step += steps.length
    lap()
    const stops = await options.paused()
    started = performance.now()
    return stops
  }
  const flush = async (): Promise<boolean> => {
    if (await settle()) return true
    if (pending.length === 0) return false
    const steps = pending
    pending = []
    const program = await options.program(steps[0].batch.indices.length)
    const done = callOf(program, steps)
    // A failure is met where the call is settled, even if preparing the next one fails first.
    done.catch(() => undefined)
    running = { steps, done }
    return false
  }

  const keepsImages = (await options.program(full)).runStored !== undefined
  const first = state.step
  const batches = (keepsImages ? data.stored?.(epoch, first) : undefined) ?? data.batches(epoch, first)
  let count = 0
  try {
    for await (const batch of batches) {
      const step = first + count
      checkBatch(batch, step === perEpoch - 1 ? data.samples - step * data.batch : full, step, perEpoch)
      const { graph } = await options.program(batch.indices.length)
      const { x, y, indices } = kept(batch)
      const masks = drawMasks(graph, options.seed, (epoch - 1) * perEpoch + step)
      const info = { epoch, indices, y, classes: options.classes, graph }
      const own = { ...options.rates, ...masks, ...method.feeds(state, info) }
      const isSmaller = indices.length < full
      // A smaller batch has a program of its own.
      if (isSmaller && (await flush())) return false
      pending.push(
        x instanceof Float32Array
          ? { batch: info, x: undefined, feeds: { x, y, ...own } }
          : { batch: info, x, feeds: { y, ...own } },
      )
      count++
      const most = x instanceof Float32Array ? stepsPerCall(4 * x.length) : CALL_STEPS
      if (pending.length >= most && (await flush())) return false
    }
    if ((await flush()) || (await settle())) return state.step === perEpoch
  } finally {
    // Whoever frees the program after a failure must not do so while it runs.
    await running?.done.catch(() => undefined)
  }
  if (state.step !== perEpoch) {
    throw new RlviError('training data', `an epoch must have ${perEpoch} batches`, state.step)
  }
  return true
}

function callOf(program: Program, steps: readonly Pending[]): Promise<readonly Fetches[]> {
  if (program.runStored && steps[0].x) {
    return program.runStored(steps.map(({ x, feeds }) => ({ x: x!, feeds })))
  }
  return program.runMany(steps.map(({ feeds }) => feeds))
}

/** The arrays of a batch of values may be filled anew for the next one. */
function kept(batch: TrainingBatch | StoredTrainingBatch): TrainingBatch | StoredTrainingBatch {
  const { x, y, indices } = batch
  return x instanceof Float32Array ? { x: x.slice(), y: y.slice(), indices: indices.slice() } : batch
}

function stepsPerCall(bytes: number): number {
  const steps = Math.min(CALL_STEPS, Math.floor(CALL_BYTES / bytes))
  return steps < WORTH_A_CALL ? 1 : steps
}

function observe(
  state: TrainingState,
  { classes, method, epoch, advice }: StepsOptions,
  { batch }: Pending,
  { losses, logits, kept }: Fetches,
  step: number,
): void {
  const { indices, y } = batch
  for (let k = 0; k < indices.length; k++) {
    if (!Number.isFinite(losses[k])) {
      const todo = `in epoch ${epoch}, step ${step}: ${advice}`
      throw new RlviError('training', 'losses must be finite numbers', losses[k], todo)
    }
    state.losses[indices[k]] = losses[k]
    if (method.keeps === 'batch') state.kept[indices[k]] = kept[k]
  }
  state.correct += countCorrect(logits, y, classes)
  method.observe?.(state, batch, logits)
}

function checkBatch(
  { indices, y }: { readonly indices: Int32Array; readonly y: Int32Array },
  size: number,
  step: number,
  perEpoch: number,
): void {
  if (step >= perEpoch)
    throw new RlviError('training data', `an epoch must have ${perEpoch} batches`, step + 1)
  if (indices.length !== size || y.length !== size) {
    throw new RlviError('training data', `batch ${step} must have ${size} samples`, indices.length)
  }
}
