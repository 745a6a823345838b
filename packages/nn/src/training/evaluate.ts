import { RlviError } from 'rlvi'
import type { Executor, Program, Variables } from '../executors/executor.js'
import { drawMasks } from '../executors/masks.js'
import { evaluation } from '../models/graphs.js'
import type { Model } from '../models/model.js'
import type { EvaluationData } from './data.js'

/** What a network makes of some samples. */
export interface Evaluation {
  /** Share of the labels that are the most probable class. */
  readonly accuracy: number
  /** samples x classes, in the order of the data. */
  readonly probabilities: Float32Array
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
      let at = 0
      let correct = 0
      for await (const { x, y } of data.batches()) {
        if (at + y.length > data.samples) {
          throw new RlviError('evaluation data', `must have ${data.samples} samples`, at + y.length)
        }
        const program = await programFor(y.length)
        const fetches = await program.run({ x, ...drawMasks(program.graph, seed, at) })
        if (!fetches.probabilities.every(Number.isFinite)) {
          throw new RlviError('evaluation', 'probabilities must be finite', 'NaN', 'a lower rate may help')
        }
        probabilities.set(fetches.probabilities, at * classes)
        correct += countCorrect(fetches.logits, y, classes)
        at += y.length
      }
      if (at !== data.samples) {
        throw new RlviError('evaluation data', `must have ${data.samples} samples`, at)
      }
      return { accuracy: correct / at, probabilities }
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
