import { RlviError } from 'rlvi'
import type { Executor, Fetches, Program, StoredStep, Variables } from '../executors/executor.js'
import { drawMasks } from '../executors/masks.js'
import { evaluation } from '../models/graphs.js'
import type { Model } from '../models/model.js'
import { callsInTurn } from './calls.js'
import type { EvaluationData } from './data.js'

/** What a network makes of some samples. */
export interface Evaluation {
  /** Share of the labels that are the most probable class. */
  readonly accuracy: number
  /** samples x classes, in the order of the data. */
  readonly probabilities: Float32Array
  /** As they are given, in the same order. */
  readonly labels: Int32Array
}

export interface Evaluator {
  evaluate(data: EvaluationData): Promise<Evaluation>
  dispose(): Promise<void>
}

export interface EvaluatorOptions {
  readonly model: Model
  /** The scope of the network among the variables. */
  readonly network?: string
  readonly executor: Executor
  readonly variables: Variables
  /** For models that keep their dropout. */
  readonly seed: number
}

interface Waiting {
  readonly step: StoredStep
  readonly y: Int32Array
}

/** Batches of stored images that one call is given. */
const CALL_STEPS = 64

/** Measures the network as it is, in evaluation mode. One program for each size of batch. */
export function openEvaluator(options: EvaluatorOptions): Evaluator {
  const { model, executor, variables, seed } = options
  const scope = options.network === undefined ? {} : { scope: options.network }
  const programs = new Map<number, Program>()
  const programFor = async (batch: number): Promise<Program> => {
    const made = programs.get(batch) ?? (await executor.compile(evaluation(model, batch, scope), variables))
    programs.set(batch, made)
    return made
  }
  return {
    async evaluate(data) {
      const { classes } = model
      const probabilities = new Float32Array(data.samples * classes)
      const labels = new Int32Array(data.samples)
      let at = 0
      let correct = 0
      const take = (fetches: Fetches, y: Int32Array): void => {
        let sum = 0
        for (const probability of fetches.probabilities) sum += probability
        if (!Number.isFinite(sum)) {
          throw new RlviError('evaluation', 'probabilities must be finite', 'NaN', 'a lower rate may help')
        }
        probabilities.set(fetches.probabilities, at * classes)
        labels.set(y, at)
        correct += countCorrect(fetches.logits, y, classes)
        at += y.length
      }
      const check = (y: Int32Array, before: number): void => {
        if (before + y.length <= data.samples) return
        throw new RlviError('evaluation data', `must have ${data.samples} samples`, before + y.length)
      }
      if (executor.keepsImages && data.stored) {
        let waiting: Waiting[] = []
        let asked = 0
        const calls = callsInTurn<readonly Waiting[]>((steps, all) => {
          all.forEach((fetches, k) => {
            take(fetches, steps[k].y)
          })
        })
        const flush = async (): Promise<void> => {
          const steps = waiting
          waiting = []
          const program = await programFor(steps[0].y.length)
          calls.made(steps, program.runStored!(steps.map(({ step }) => step)))
          // One is under way while the one before is taken in and the next made ready.
          await calls.settle(1)
        }
        try {
          for (const { x, y } of data.stored()) {
            check(y, asked)
            const isOther = waiting.length > 0 && waiting[0].y.length !== y.length
            if (isOther || waiting.length >= CALL_STEPS) await flush()
            // To compile is also to measure what is fastest: nothing else may run meanwhile.
            if (!programs.has(y.length)) await calls.settle(0)
            const { graph } = programs.get(y.length) ?? (await programFor(y.length))
            waiting.push({ step: { x, feeds: drawMasks(graph, seed, asked) }, y })
            asked += y.length
          }
          if (waiting.length > 0) await flush()
          await calls.settle(0)
        } finally {
          await calls.end()
        }
      } else {
        for await (const { x, y } of data.batches()) {
          check(y, at)
          const program = await programFor(y.length)
          take(await program.run({ x, ...drawMasks(program.graph, seed, at) }), y)
        }
      }
      if (at !== data.samples) {
        throw new RlviError('evaluation data', `must have ${data.samples} samples`, at)
      }
      return { accuracy: correct / at, probabilities, labels }
    },
    async dispose() {
      for (const program of programs.values()) await program.dispose()
      programs.clear()
    },
  }
}

/** How many labels have the largest logit of their row; of equal ones the first counts. */
export function countCorrect(logits: ArrayLike<number>, y: Int32Array, classes: number): number {
  let correct = 0
  for (let i = 0; i < y.length; i++) {
    let best = 0
    for (let k = 1; k < classes; k++) if (logits[i * classes + k] > logits[i * classes + best]) best = k
    if (best === y[i]) correct++
  }
  return correct
}
