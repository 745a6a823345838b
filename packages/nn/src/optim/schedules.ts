import { RlviError } from 'rlvi'

/** The learning rate of an epoch; the first epoch is 1. */
export type Schedule = (epoch: number) => number

/** The same rate in every epoch. */
export function constantRate(rate: number): Schedule {
  checkRate('constantRate', rate)
  return () => rate
}

/** When the rate falls, and how far. */
export interface LinearDecayOptions {
  /** The last epoch at the full rate. Default 20, as in the paper on MNIST. */
  readonly hold?: number
  /** The epoch from which the rate stays low. Default 40. */
  readonly end?: number
  /** The low rate, relative to the full one. Default 0.01. */
  readonly factor?: number
}

/** Full rate, then down a straight line, then low. */
export function linearDecay(rate: number, options: LinearDecayOptions = {}): Schedule {
  checkRate('linearDecay', rate)
  const relative = linearFactor(options)
  return (epoch) => rate * relative(epoch)
}

/**
 * What the paper's released code does on MNIST in place of `linearDecay`: after every epoch it multiplies the current
 * rate by the factor that was meant for the first one, so that training stands still after epoch 33 or so.
 */
export function cumulativeDecay(rate: number, options: LinearDecayOptions = {}): Schedule {
  checkRate('cumulativeDecay', rate)
  const relative = linearFactor(options)
  return (epoch) => {
    let current = rate
    for (let past = 1; past < epoch; past++) current *= relative(past)
    return current
  }
}

function linearFactor({ hold = 20, end = 40, factor = 0.01 }: LinearDecayOptions): Schedule {
  if (!(end > hold)) throw new RlviError('linear decay', `must end after epoch ${hold}`, end)
  return (epoch) => {
    if (epoch <= hold) return 1
    return epoch <= end ? 1 - ((1 - factor) * (epoch - hold)) / (end - hold) : factor
  }
}

/** Half a cosine wave from the full rate at the first epoch down to 0 after `epochs`. */
export function cosine(rate: number, epochs: number): Schedule {
  checkRate('cosine', rate)
  if (!(epochs >= 1)) throw new RlviError('cosine', 'epochs must be at least 1', epochs)
  return (epoch) => (rate / 2) * (1 + Math.cos((Math.PI * (epoch - 1)) / epochs))
}

/** Multiplied by `factor` after each of the listed epochs. */
export function multiStep(rate: number, milestones: readonly number[], factor: number): Schedule {
  checkRate('multiStep', rate)
  return (epoch) => rate * factor ** milestones.filter((milestone) => epoch > milestone).length
}

function checkRate(where: string, rate: number): void {
  if (!(rate >= 0 && Number.isFinite(rate))) throw new RlviError(where, 'the rate must be at least 0', rate)
}
