import { RlviError } from 'rlvi'
import { isInMemory, type Labels, type Samples } from '../data/image-set.js'
import { type Stream, stream } from '../random.js'
import { drawFrom } from './draw.js'
import { checkRate } from './transition.js'

export interface InstanceNoise {
  readonly given: Labels
  /** The probability that a sample's label is changed, drawn for each. */
  readonly flipRates: Float64Array
}

/** The spread of a sample's flip rate about the mean. */
const SPREAD = 0.1

/**
 * Noise that depends on the image: sample i is flipped with its own probability q_i, to the class that a random linear
 * function of its raw pixels, one for each true class, likes best. The logits are so large (pixels are 0..255) that
 * the wrong class is nearly a function of image and class.
 */
export function instanceNoise(set: Samples, rate: number, seed: number): InstanceNoise {
  checkRate('instance noise', rate)
  if (!isInMemory(set))
    throw new RlviError('instance noise', 'images in memory are needed', set.name, 'choose a smaller size')
  const classes = set.classes.length
  if (classes < 2) throw new RlviError('instance noise', 'at least two classes are needed', classes)
  const size = set.channels * set.height * set.width
  const flipRates = drawFlipRates(set.labels.length, rate, stream(seed, 'noise', 'instance', 'rates'))
  const given = set.labels.slice()
  const random = stream(seed, 'noise', 'instance', 'labels')
  // A sample's draw belongs to the sample, not to the order in which classes are worked through.
  const draws = Float64Array.from(given, () => random.uniform(0, 1))
  const logits = new Float64Array(classes)

  for (const [k, members] of membersByClass(set.labels, classes).entries()) {
    if (members.length === 0) continue
    const weights = drawWeights(size * classes, stream(seed, 'noise', 'instance', 'weights', k))
    for (const i of members) {
      multiply(set.pixels, i * size, size, weights, logits)
      toProbabilities(logits, k, flipRates[i]!)
      given[i] = drawFrom(logits, 0, classes, k, draws[i]!)
    }
  }
  return { given, flipRates }
}

/** Normal about the rate, redrawn until it is a probability. */
function drawFlipRates(n: number, rate: number, random: Stream): Float64Array {
  const rates = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    do rates[i] = rate + SPREAD * random.normal()
    while (rates[i]! < 0 || rates[i]! > 1)
  }
  return rates
}

function drawWeights(size: number, random: Stream): Float64Array {
  const weights = new Float64Array(size)
  for (let j = 0; j < size; j++) weights[j] = random.normal()
  return weights
}

/** Pixels (as a row) times weights (pixels x classes). Most pixels of a digit are black. */
function multiply(
  pixels: Uint8Array,
  start: number,
  size: number,
  weights: Float64Array,
  out: Float64Array,
): void {
  const classes = out.length
  out.fill(0)
  for (let s = 0; s < size; s++) {
    const x = pixels[start + s]!
    if (x === 0) continue
    const row = s * classes
    for (let c = 0; c < classes; c++) out[c]! += x * weights[row + c]!
  }
}

/** Logits become q softmax(logits without the true class), and 1 - q for the true class. */
function toProbabilities(logits: Float64Array, truth: number, q: number): void {
  logits[truth] = Number.NEGATIVE_INFINITY
  let top = Number.NEGATIVE_INFINITY
  for (const logit of logits) top = Math.max(top, logit)
  let sum = 0
  for (let c = 0; c < logits.length; c++) {
    logits[c] = Math.exp(logits[c]! - top)
    sum += logits[c]!
  }
  for (let c = 0; c < logits.length; c++) logits[c]! *= q / sum
  logits[truth] = 1 - q
}

function membersByClass(labels: Labels, classes: number): number[][] {
  const members = Array.from({ length: classes }, (): number[] => [])
  for (let i = 0; i < labels.length; i++) members[labels[i]!]!.push(i)
  return members
}
