import { matrix, online } from 'rlvi'
import { draws } from 'rlvi/random'
import type { LabelledStream } from './data.js'
import { streamMethods } from './methods.js'
import { type NoiseName, noiseShare, withWrongLabels } from './noise.js'

/** Some of the runs over a stream; its features lie in memory that threads share. */
export interface PrequentialTask {
  readonly kind: 'prequential'
  readonly data: LabelledStream
  readonly noise: NoiseName
  readonly batch: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

/**
 * Batch after batch: each method predicts, then learns; predictions are judged by the true labels, which it never sees.
 * Of each batch: its rows, its wrong labels, and for each method its right predictions and its level.
 */
export function simulatePrequential(task: PrequentialTask): Float64Array {
  const { data, noise, batch, seed, first, last } = task
  const methods = streamMethods(data.classes)
  const { rows, cols, values } = data.x
  const batches = Math.ceil(rows / batch)
  const out: number[] = []
  for (let run = first; run < last; run++) {
    const random = draws(seed, 'streams', data.name, noise, run)
    const model = data.classes === 2 ? 'logistic' : 'softmax'
    const states = methods.map(({ options }) =>
      online.init({
        ...options,
        model,
        features: cols,
        ...(model === 'softmax' && { classes: data.classes }),
      }),
    )
    for (let b = 0; b < batches; b++) {
      const [from, to] = [b * batch, Math.min(rows, (b + 1) * batch)]
      const truth = data.labels.subarray(from, to)
      const y = withWrongLabels(truth, data.classes, noiseShare(noise, b, batches), random)
      const x = matrix(to - from, cols, values.slice(from * cols, to * cols))
      out.push(
        to - from,
        count(y, (label, i) => label !== truth[i]),
      )
      for (const [k, before] of states.entries()) {
        const { state, result } = online.update(before, { x, y })
        states[k] = state
        out.push(
          count(result.predictions, (label, i) => label === truth[i]),
          result.level ?? Number.NaN,
        )
      }
    }
  }
  return Float64Array.from(out)
}

function count(values: Float64Array, holds: (value: number, i: number) => boolean): number {
  let found = 0
  for (let i = 0; i < values.length; i++) if (holds(values[i] ?? 0, i)) found++
  return found
}
