import { RlviError } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import { isInMemory, type Labels, type Samples } from '../data/image-set.js'
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
  const flipRates = drawFlipRates(set.labels.length, rate, draws(seed, 'noise', 'instance', 'rates'))
  const given = set.labels.slice()
  const random = draws(seed, 'noise', 'instance', 'labels')
  // A sample's draw belongs to the sample, not to the order in which classes are worked through.
  const uniforms = Float64Array.from(given, () => random.uniform(0, 1))
  const logits = new Float64Array(classes)
  const bright: Bright = { at: new Int32Array(size), value: new Float64Array(size) }

  for (const [k, members] of membersByClass(set.labels, classes).entries()) {
    if (members.length === 0) continue
    const weights = drawWeights(size, classes, draws(seed, 'noise', 'instance', 'weights', k))
    for (const i of members) {
      multiply(set.pixels.subarray(i * size, (i + 1) * size), weights, bright, logits)
      toProbabilities(logits, k, flipRates[i]!)
      given[i] = drawFrom(logits, 0, classes, k, uniforms[i]!)
    }
  }
  return { given, flipRates }
}

/** Normal about the rate, redrawn until it is a probability. */
function drawFlipRates(n: number, rate: number, random: Draws): Float64Array {
  const rates = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    do rates[i] = rate + SPREAD * random.normal()
    while (rates[i]! < 0 || rates[i]! > 1)
  }
  return rates
}

/** classes x pixels, drawn pixel by pixel. */
function drawWeights(size: number, classes: number, random: Draws): Float64Array {
  const weights = new Float64Array(size * classes)
  for (let s = 0; s < size; s++) for (let c = 0; c < classes; c++) weights[c * size + s] = random.normal()
  return weights
}

/** Where an image is not black, and how bright it is there. Room for one image, used again for the next. */
interface Bright {
  readonly at: Int32Array
  readonly value: Float64Array
}

/**
 * The weights times the pixels. This is the cost of the whole: 15 thousand million products for CIFAR-100. So black
 * pixels, most of a digit, are left out, and four classes at a time share what is read of the image.
 */
function multiply(pixels: Uint8Array, weights: Float64Array, { at, value }: Bright, out: Float64Array): void {
  const size = pixels.length
  let count = 0
  for (let s = 0; s < size; s++) {
    const x = pixels[s]!
    if (x === 0) continue
    at[count] = s
    value[count++] = x
  }
  const classes = out.length
  for (let c = 0; c < classes; c += 4) {
    // Past the last class the last is done again: its sum is the same.
    const [r0, r1, r2, r3] = [c, c + 1, c + 2, c + 3].map((k) => Math.min(k, classes - 1) * size) as Quad
    let [s0, s1, s2, s3] = [0, 0, 0, 0]
    for (let j = 0; j < count; j++) {
      const x = value[j]!
      const s = at[j]!
      s0 += x * weights[r0 + s]!
      s1 += x * weights[r1 + s]!
      s2 += x * weights[r2 + s]!
      s3 += x * weights[r3 + s]!
    }
    out[c] = s0
    if (c + 1 < classes) out[c + 1] = s1
    if (c + 2 < classes) out[c + 2] = s2
    if (c + 3 < classes) out[c + 3] = s3
  }
}

type Quad = [number, number, number, number]

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
