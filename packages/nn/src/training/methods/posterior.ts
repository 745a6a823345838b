import { RlviError } from 'rlvi'
import type { FloatArray } from '../../executors/executor.js'
import { mul, sum } from '../../graph/values.js'
import type { Method } from '../method.js'
import type { TrainingState } from '../state.js'
import { levelOf } from './level.js'
import { mixedImages, mixedRows, mixingMatrix, sharesOfOthers, unmixRows } from './mixing.js'
import { scatterOf } from './scatter.js'
import { closeStep, network, openStep } from './step.js'
import { countHabits, judgeLabels, posteriorOf } from './true-label.js'
import { isWarm } from './warm-up.js'

/** Settings of `posterior`. */
export interface PosteriorOptions {
  /** Epochs that learn the labels as they are given. Default: as many as `isWarm` says (warm-up.ts). */
  readonly warmUp?: number
  /** What an average of predictions keeps of itself in an epoch; the first epochs are plain means. Default 0.8. */
  readonly memory?: number
  /** Of the averaged predictions: below 1 they are sharpened. Default 0.5. */
  readonly temperature?: number
  /**
   * After the warm-up each image is shown with a share of another one and learned as that mixture: at most this much where wrong labels are
   * scattered over all classes, less where they have habits (`scatterOf`) or are fewer than a tenth; with fewer than 100 images of a class, as it is.
   * Default 0.5.
   */
  readonly mixing?: number
}

/**
 * Learns the true label: RLVI's coin, whether a label is right, completed by what it should be. The network predicts the true
 * class, T[c, y] says how classes are mistaken for each other, and both together with the given label give the posterior of the true one,
 * on which the network is trained as a soft target. Nothing is left out.
 *
 * Predictions are averages over the epochs, each taken when its sample was trained on: a single network soon repeats the label that it was
 * shown. T is counted after each epoch (`countHabits`).
 *
 * Wrong labels with habits are learned as a rule, which T undoes. Scattered ones are learned one by one, by heart; there images are mixed, so that
 * none is shown twice as it was.
 */
export function posterior(options: PosteriorOptions = {}): Method {
  const { warmUp, memory = 0.8, temperature = 0.5, mixing = 0.5 } = options
  if (warmUp !== undefined && !(Number.isInteger(warmUp) && warmUp >= 0)) {
    throw new RlviError('posterior', 'warmUp must be a whole number of epochs', warmUp)
  }
  if (!(memory >= 0 && memory < 1)) {
    throw new RlviError('posterior', 'memory must be at least 0, below 1', memory)
  }
  if (!(temperature > 0 && Number.isFinite(temperature))) {
    throw new RlviError('posterior', 'temperature must be above 0', temperature)
  }
  if (!(mixing >= 0 && mixing <= 0.5)) {
    throw new RlviError('posterior', 'mixing must be a share from 0 to 0.5', mixing)
  }
  return {
    name: 'posterior',
    options: { warmUp: warmUp ?? 'as learned', memory, temperature, mixing },
    keeps: 'likely',
    report: 'last',
    arrays: (samples, classes) => ({
      // As exact as the logits that they are made of; this is the largest part of a checkpoint.
      predictions: new Float32Array(samples * classes),
      habits: new Float64Array(classes * classes),
      // The epoch after which the averages began anew: that before the last of the warm-up, which they keep as one among others.
      begun: new Float64Array(1),
      // The most that is shown of another image, this epoch.
      mixed: new Float64Array(1),
    }),
    step: (setup) => {
      const { x, ...rest } = openStep(setup)
      const batch = { ...rest, x: mixing > 0 ? mixedImages(x) : x }
      const net = network(setup, batch)
      const target = batch.graph.feed('target', net.logits.shape)
      const loss = mul(sum(mul(target, net.logProbabilities)), -1 / setup.batch)
      return closeStep(setup, batch, loss, net)
    },
    beginEpoch: (state, { epoch, epochs, labels, classes }) => {
      if (state.warm) return
      const known = { predictions: state.arrays.predictions, labels, classes }
      const isOver = warmUp === undefined ? isWarm(known, state.history, epochs) : epoch > warmUp
      if (isOver) endWarmUp(state)
    },
    feeds: ({ arrays: { predictions, habits, mixed }, warm }, { epoch, indices, y, classes }) => {
      const target = new Float32Array(y.length * classes)
      const belief = { habits, temperature, classes }
      const known = warm ? rowsAt(predictions, indices, classes) : undefined
      for (let k = 0; k < y.length; k++) {
        if (known) posteriorOf(known, k * classes, y[k], belief, target, k * classes)
        else target[k * classes + y[k]] = 1
      }
      if (mixing === 0) return { target }
      const shares = sharesOfOthers(indices, epoch, mixed[0])
      return { target: mixedRows(target, shares, classes), mixing: mixingMatrix(shares) }
    },
    observe: ({ arrays: { predictions, begun, mixed } }, { epoch, indices, classes }, logits) => {
      const share = Math.max(1 - memory, 1 / (epoch - begun[0]))
      const now = softmaxRows(logits, classes)
      const before = rowsAt(predictions, indices, classes)
      if (mixed[0] > 0) unmixRows(now, before, sharesOfOthers(indices, epoch, mixed[0]), classes)
      for (let k = 0; k < indices.length; k++) {
        const [from, at] = [k * classes, indices[k] * classes]
        for (let c = 0; c < classes; c++) {
          predictions[at + c] = before[from + c] + share * (now[from + c] - before[from + c])
        }
      }
    },
    endEpoch: (state, { labels, classes }) => {
      const { predictions, habits, mixed } = state.arrays
      const known = { predictions, labels, classes }
      habits.set(countHabits(known))
      const level = judgeLabels(known, { habits, temperature, classes }, state.clean)
      state.level = level
      if (state.warm && labels.length >= ENOUGH * classes)
        mixed[0] = mixing * Math.min(1, level / MANY) * scatterOf(habits, classes)
    },
    validated: (state, _, heldOut) => {
      const habits = Float64Array.from(state.arrays.habits)
      Object.assign(state, levelOf(state.level!, heldOut, { temperature, habits }))
    },
  }
}

/** With fewer images of a class, on average, a network learns too little of it from mixtures, and T counts its mistakes. */
const ENOUGH = 100
/** From this share of wrong labels on images are mixed in full; where none is wrong there is nothing to be protected from. */
const MANY = 0.1

/** From here on predictions are of true labels; before, they were of given ones, and count no more than one epoch of the others. */
function endWarmUp(state: TrainingState): void {
  state.warm = true
  state.arrays.begun[0] = Math.max(0, state.epoch - 1)
}

/**
 * The rows of some samples. They lie anywhere in memory, and to wait for one after the other takes longer than all that is done with them: column by
 * column, one is asked for while others are on their way.
 */
function rowsAt(rows: FloatArray, samples: Int32Array, width: number): Float32Array {
  const out = new Float32Array(samples.length * width)
  for (let c = 0; c < width; c++) {
    for (let k = 0; k < samples.length; k++) out[k * width + c] = rows[samples[k] * width + c]
  }
  return out
}

function softmaxRows(logits: FloatArray, classes: number): Float64Array {
  const out = new Float64Array(logits)
  for (let from = 0; from < out.length; from += classes) {
    const to = from + classes
    let largest = Number.NEGATIVE_INFINITY
    for (let at = from; at < to; at++) largest = Math.max(largest, out[at])
    let total = 0
    for (let at = from; at < to; at++) {
      out[at] = Math.exp(out[at] - largest)
      total += out[at]
    }
    for (let at = from; at < to; at++) out[at] /= total
  }
  return out
}
