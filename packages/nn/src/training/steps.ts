import { RlviError } from 'rlvi'
import type { Feeds, Fetches, Program, StoredBatch } from '../executors/executor.js'
import { drawMasks } from '../executors/masks.js'
import { callsInTurn } from './calls.js'
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
  /** Called after the steps of each call to the executor. */
  progress(): Promise<void>
  /** Whether the training is to be kept, or ended, after the steps that are done. */
  due(): boolean
  /** Keeps it. True ends it there. */
  paused(): Promise<boolean>
}

/** Small steps are run many in a call: as many as have this much input together (bytes), and no more than this. */
const CALL_BYTES = 2 ** 23
const CALL_STEPS = 64
/** With fewer steps in a call than this, one at a time is as good and needs less memory. */
const WORTH_A_CALL = 8

type Batch = TrainingBatch | StoredTrainingBatch

interface Pending {
  readonly batch: BatchInfo
  /** The images, where the executor keeps them; otherwise they are among the feeds. */
  readonly x: StoredBatch | undefined
  readonly feeds: Feeds
}

/**
 * The steps of an epoch, from the state's step on. Calls begin at the same steps however often the epoch was interrupted,
 * so that the numbers are the same. While the executor is busy with one call, the next is made ready. Returns false if it was stopped before the end.
 */
export async function runSteps(state: TrainingState, options: StepsOptions): Promise<boolean> {
  const { data, method, epoch } = options
  const full = Math.min(data.batch, data.samples)
  const perEpoch = Math.ceil(data.samples / data.batch)
  const program = await options.program(full)
  const first = state.step
  const stored = program.runStored && data.stored?.(epoch, first)
  let pending: Pending[] = []
  let started = performance.now()
  const calls = callsInTurn<readonly Pending[]>(async (steps, all) => {
    all.forEach((fetches, k) => {
      observe(state, options, steps[k], fetches, state.step + k + 1)
    })
    state.step += steps.length
    state.seconds += (performance.now() - started) / 1000
    await options.progress()
    started = performance.now()
  })
  /** Waits for all steps. True stops there. */
  const settle = async (): Promise<boolean> => {
    await calls.settle(0)
    // What is kept are the variables after the steps that are done: nothing may run meanwhile.
    const stops = options.due() && (await options.paused())
    started = performance.now()
    return stops
  }
  /** Makes a call of the steps that are ready. True stops before it. */
  const flush = async (): Promise<boolean> => {
    // Stored images are learned a call ahead: the executor need not wait while one is taken in and another made ready.
    if ((!stored || options.due()) && (await settle())) return true
    if (pending.length === 0) return false
    const steps = pending
    pending = []
    calls.made(steps, callOf(await options.program(steps[0].batch.indices.length), steps))
    await calls.settle(1)
    return false
  }
  let { graph } = program
  let count = 0
  /** A smaller batch has a program of its own. True stops before it. */
  const turnTo = async ({ indices }: Batch): Promise<boolean> => {
    if ((await flush()) || (await settle())) return true
    graph = (await options.program(indices.length)).graph
    return false
  }
  const isSmaller = (batch: Batch): boolean => {
    const step = first + count
    checkBatch(batch, step === perEpoch - 1 ? data.samples - step * data.batch : full, step, perEpoch)
    return batch.indices.length < full
  }
  /** Makes a step ready. True if those that wait make a call. */
  const add = (batch: Batch): boolean => {
    const { x, y, indices } = kept(batch)
    const masks = drawMasks(graph, options.seed, (epoch - 1) * perEpoch + first + count)
    const info = { epoch, indices, y, classes: options.classes, graph }
    const own = { ...options.rates, ...masks, ...method.feeds(state, info) }
    pending.push(
      x instanceof Float32Array
        ? { batch: info, x: undefined, feeds: { x, y, ...own } }
        : { batch: info, x, feeds: { y, ...own } },
    )
    count++
    return pending.length >= (x instanceof Float32Array ? stepsPerCall(4 * x.length) : CALL_STEPS)
  }

  try {
    if (stored) {
      // Small networks take so many steps that waiting for what is there already would count.
      for (const batch of stored) {
        if (isSmaller(batch) && (await turnTo(batch))) return false
        if (add(batch) && (await flush())) return false
      }
    } else {
      for await (const batch of data.batches(epoch, first)) {
        if (isSmaller(batch) && (await turnTo(batch))) return false
        if (add(batch) && (await flush())) return false
      }
    }
    if ((await flush()) || (await settle())) return state.step === perEpoch
  } finally {
    // Whoever frees the program after a failure must not do so while it runs.
    await calls.end()
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
function kept(batch: Batch): Batch {
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
