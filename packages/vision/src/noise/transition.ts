import { RlviError } from 'rlvi'

/** Which label a true class is given, and how often: row-stochastic, row = true class, column = observed label. */
export interface Transition {
  readonly classes: number
  /** classes x classes, by rows. */
  readonly probabilities: Float64Array
}

/** Every wrong label is equally probable: e / (C - 1) each. */
export function symmetric(classes: number, rate: number): Transition {
  check('symmetric noise', classes, rate)
  return transition(classes, (row, k) => row.fill(rate / (classes - 1)).fill(1 - rate, k, k + 1))
}

/** A class is taken for the next one. */
export function pairflip(classes: number, rate: number): Transition {
  check('pairflip noise', classes, rate)
  return mapped(classes, rate, (k) => (k + 1) % classes)
}

/** Some classes are taken for another, each with the same probability; a class without an entry in the map stays. */
export function asymmetric(classes: number, rate: number, map: ReadonlyMap<number, number>): Transition {
  check('asymmetric noise', classes, rate)
  for (const [from, to] of map) {
    if (!isClass(from, classes) || !isClass(to, classes) || from === to)
      throw new RlviError('asymmetric noise', `a map between the ${classes} classes is needed`, [from, to])
  }
  return mapped(classes, rate, (k) => map.get(k))
}

/** The share of labels that this noise changes, where class k has `counts[k]` samples. */
export function flipShare({ classes, probabilities }: Transition, counts: ArrayLike<number>): number {
  let flipped = 0
  let total = 0
  for (let k = 0; k < classes; k++) {
    flipped += counts[k]! * (1 - probabilities[k * classes + k]!)
    total += counts[k]!
  }
  return flipped / total
}

function mapped(classes: number, rate: number, target: (k: number) => number | undefined): Transition {
  return transition(classes, (row, k) => {
    const to = target(k)
    row[k] = to === undefined ? 1 : 1 - rate
    if (to !== undefined) row[to] = rate
  })
}

function transition(classes: number, fill: (row: Float64Array, k: number) => void): Transition {
  const probabilities = new Float64Array(classes * classes)
  for (let k = 0; k < classes; k++) fill(probabilities.subarray(k * classes, (k + 1) * classes), k)
  return { classes, probabilities }
}

function isClass(k: number, classes: number): boolean {
  return Number.isInteger(k) && k >= 0 && k < classes
}

function check(where: string, classes: number, rate: number): void {
  if (!Number.isInteger(classes) || classes < 2)
    throw new RlviError(where, 'at least two classes are needed', classes)
  checkRate(where, rate)
}

export function checkRate(where: string, rate: number): void {
  if (!(rate >= 0 && rate <= 1))
    throw new RlviError(where, 'a rate from 0 to 1 is needed', rate, 'give it as a share, such as 0.45')
}
