import { setImmediate } from 'node:timers/promises'
import { inFile, RlviError } from 'rlvi'
import type { Executor, Program } from '../executors/executor.js'
import type { Model } from '../models/model.js'
import type { StoredTensor } from '../models/safetensors.js'
import { type LoadOptions, loadWeights } from '../models/weights.js'
import { type Group, oneRate } from '../optim/minimize.js'
import type { Optimizer } from '../optim/optimizer.js'
import type { Schedule } from '../optim/schedules.js'
import { type CheckpointStore, identify, readCheckpoint, restore, writeCheckpoint } from './checkpoint.js'
import type { EvaluationData, TrainingData } from './data.js'
import { type Evaluation, openEvaluator } from './evaluate.js'
import { keptShares } from './kept-shares.js'
import type { Method } from './method.js'
import { TWO_NETWORKS } from './methods/step.js'
import type { EpochMetrics } from './metrics.js'
import { initialState, type TrainingState } from './state.js'
import { runSteps } from './steps.js'

/** Milliseconds after which other work of the process has its turn. */
const BREATH = 50

/** What is trained, how, and on what. */
export interface TrainOptions {
  readonly model: Model
  readonly method: Method
  readonly executor: Executor
  readonly data: TrainingData
  /** Its labels may be as noisy as those of the training data. RLVI needs it to know when to truncate. */
  readonly validation?: EvaluationData
  readonly test?: EvaluationData
  readonly epochs: number
  readonly optimizer: Optimizer
  /** The learning rate by epoch; with several groups, one for each by its name. */
  readonly schedule: Schedule | Readonly<Record<string, Schedule>>
  /** Default: all parameters at one rate. */
  readonly groups?: readonly Group[]
  /** Seeds the initial parameters and dropout. Default 1. */
  readonly seed?: number
  /** Weights to start from, such as pre-trained ones. */
  readonly weights?: LoadOptions & { readonly tensors: ReadonlyMap<string, StoredTensor> }
  /** Where the training is kept after each epoch. */
  readonly checkpoint?: CheckpointStore
  /** Go on from the checkpoint if there is one. Default true. */
  readonly resume?: boolean
  /** Also keep it within an epoch after this many seconds. Default 300. */
  readonly checkpointSeconds?: number
  /** Ends the training early: what was done is kept in the checkpoint. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** How far a training is. */
export interface Progress {
  readonly epoch: number
  /** Steps done of this epoch, and how many it has. */
  readonly step: number
  readonly steps: number
}

/** A training that is ready to go through its epochs. */
export interface Training {
  /** Losses, P(good) and the rest, as they are now. */
  readonly state: Readonly<TrainingState>
  /** Trains the epochs that are left, one for each turn. */
  epochs(): AsyncGenerator<EpochMetrics, void, void>
  /** Measures the network as it is. */
  evaluate(data: EvaluationData): Promise<Evaluation>
  /** The measured network's parameters and running statistics, under the model's own names. */
  weights(): Promise<ReadonlyMap<string, StoredTensor>>
  /** Frees what the executor holds. */
  dispose(): Promise<void>
}

/**
 * Makes everything ready to train: new, or where the checkpoint left off.
 *
 * @example
 * import { lenet, memoryData, memoryEvaluation, onnxExecutor, openTraining } from '@rlvi/nn'
 * import { rlvi } from '@rlvi/nn/methods'
 * import { constantRate, sgd } from '@rlvi/nn/optim'
 *
 * const training = await openTraining({
 *   model: lenet(), method: rlvi(), executor: onnxExecutor(),
 *   data: memoryData({ x, labels, batch: 32 }),
 *   validation: memoryEvaluation({ x: heldOut, labels: heldOutLabels, batch: 100 }),
 *   epochs: 10, optimizer: sgd({ momentum: 0.9 }), schedule: constantRate(0.01),
 * })
 * for await (const { epoch, validation } of training.epochs()) console.log(epoch, validation)
 * await training.dispose()
 */
export async function openTraining(options: TrainOptions): Promise<Training> {
  const { model, method, executor, data, optimizer, schedule, groups = oneRate, seed = 1 } = options
  if (!(Number.isInteger(options.epochs) && options.epochs >= 1)) {
    throw new RlviError('train', 'epochs must be whole and at least 1', options.epochs)
  }
  const variables = executor.variables()
  const programs = new Map<number, Program>()
  const programFor = async (batch: number): Promise<Program> => {
    const ready = programs.get(batch)
    if (ready) return ready
    const graph = method.step({ model, batch, optimizer, groups, seed })
    const made = await executor.compile(graph, variables)
    programs.set(batch, made)
    return made
  }
  const { network } = method
  const scope = network === undefined ? {} : { network }
  const evaluator = openEvaluator({ model, executor, variables, seed, ...scope })
  const program = await programFor(Math.min(data.batch, data.samples))
  if (options.weights) {
    const tensors = network === undefined ? options.weights.tensors : forBoth(options.weights.tensors)
    await loadWeights(program, tensors, scoped(options.weights))
  }

  const state = initialState(data.samples, method.arrays?.(data.samples, model.classes))
  const identity = options.checkpoint
    ? await identify({ model, method, data, seed, graph: program.graph })
    : {}
  const ratesOf = (epoch: number): Readonly<Record<string, number>> =>
    Object.fromEntries(groups.map(({ rate }) => [rate, scheduleOf(schedule, rate)(epoch)]))
  if (options.checkpoint && (options.resume ?? true)) {
    const bytes = await options.checkpoint.read()
    try {
      if (bytes) await restore(await readCheckpoint(bytes), { identity, state, program, ratesOf })
    } catch (error) {
      throw inFile(options.checkpoint.path ?? 'checkpoint', 'checkpoint', error)
    }
  }
  let saved = performance.now()
  const save = async (): Promise<void> => {
    if (!options.checkpoint) return
    await options.checkpoint.write(await writeCheckpoint({ identity, state, program }))
    saved = performance.now()
  }

  const steps = Math.ceil(data.samples / data.batch)
  let breathed = performance.now()
  const progress = async (epoch: number): Promise<void> => {
    // An executor that never waits would keep signals and timers from being heard.
    if (performance.now() - breathed > BREATH) {
      await setImmediate()
      breathed = performance.now()
    }
    options.onProgress?.({ epoch, step: state.step, steps })
  }
  const stops = (): boolean => options.signal?.aborted ?? false
  const due = (): boolean =>
    stops() ||
    (options.checkpoint !== undefined &&
      performance.now() - saved > 1000 * (options.checkpointSeconds ?? 300))
  const paused = async (): Promise<boolean> => {
    if (state.step < steps) await save()
    return stops()
  }

  async function oneEpoch(): Promise<EpochMetrics | undefined> {
    const epoch = state.epoch + 1
    const rates = ratesOf(epoch)
    const { classes } = model
    const info = { epoch, epochs: options.epochs, classes, labels: data.labels }
    if (state.step === 0) method.beginEpoch?.(state, info)
    const finished = await runSteps(state, {
      method,
      data,
      classes,
      seed,
      epoch,
      rates,
      advice: `try a lower learning rate${options.checkpoint && epoch > 1 ? '; the last checkpoint is kept' : ''}`,
      program: programFor,
      progress: () => progress(epoch),
      due,
      paused,
    })
    if (!finished) return undefined
    const started = performance.now()
    method.endEpoch?.(state, info)
    const heldOut = options.validation && (await evaluator.evaluate(options.validation))
    const validation = heldOut?.accuracy
    if (heldOut) {
      const accuracies = state.history.flatMap((past) => past.validation ?? [])
      const { accuracy, probabilities: predictions, labels } = heldOut
      method.validated?.(state, [...accuracies, accuracy], { predictions, labels, classes })
    }
    const trained = performance.now()
    const test = options.test && (await evaluator.evaluate(options.test)).accuracy
    const metrics: EpochMetrics = {
      epoch,
      rates,
      loss: sumOf(state.losses) / data.samples,
      train: state.correct / data.samples,
      ...(validation === undefined ? {} : { validation }),
      ...(test === undefined ? {} : { test }),
      ...(method.keeps === 'weights' ? { threshold: state.threshold } : {}),
      ...keptShares(method, state, data.corrupt),
      ...(state.level === undefined ? {} : { level: state.level }),
      ...(state.interval === undefined ? {} : { interval: state.interval }),
      seconds: state.seconds + (trained - started) / 1000,
      testSeconds: (performance.now() - trained) / 1000,
    }
    Object.assign(state, { epoch, step: 0, correct: 0, seconds: 0, history: [...state.history, metrics] })
    await save()
    return metrics
  }

  return {
    state,
    async *epochs() {
      while (state.epoch < options.epochs && !options.signal?.aborted) {
        const metrics = await oneEpoch()
        if (metrics) yield metrics
      }
    },
    evaluate: (evaluated) => evaluator.evaluate(evaluated),
    weights: async () => {
      const prefix = network === undefined ? '' : `${network}.`
      const out = new Map<string, StoredTensor>()
      for (const { name, tensor, role } of program.graph.variables) {
        if ((role !== 'parameter' && role !== 'statistic') || !name.startsWith(prefix)) continue
        const values = Float32Array.from(await variables.read(name))
        out.set(name.slice(prefix.length), { shape: program.graph.tensors[tensor].shape, values })
      }
      return out
    },
    dispose: async () => {
      await evaluator.dispose()
      for (const each of programs.values()) await each.dispose()
      await variables.dispose()
    },
  }
}

function sumOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

function scheduleOf(schedule: TrainOptions['schedule'], group: string): Schedule {
  if (typeof schedule === 'function') return schedule
  const own = schedule[group]
  if (own === undefined) throw new RlviError('schedule', `must have a rate for the group ${group}`, 'none')
  return own
}

/** The same weights for both networks. */
function forBoth(tensors: ReadonlyMap<string, StoredTensor>): ReadonlyMap<string, StoredTensor> {
  return new Map(
    TWO_NETWORKS.flatMap((scope) => [...tensors].map(([name, tensor]) => [`${scope}.${name}`, tensor])),
  )
}

function scoped({ fresh }: LoadOptions): LoadOptions {
  if (!fresh) return {}
  const prefix = new RegExp(`^(${TWO_NETWORKS.join('|')})\\.`)
  return { fresh: (name) => fresh(name.replace(prefix, '')) }
}
