import { RlviError } from 'rlvi'

/** How many samples of a batch are left out, epoch by epoch. */
export interface ForgetOptions {
  /** The assumed share of wrong labels, which these methods need. */
  readonly assumed: number
  /** Epochs until the full share is left out, counted from 0 as in the published code. Default 10. */
  readonly rampEpochs?: number
}

/** The share of a batch to leave out in an epoch (the first is 1): rises evenly, then stays. */
export function forgetRate({ assumed, rampEpochs = 10 }: ForgetOptions, epoch: number): number {
  return epoch < rampEpochs ? (assumed * epoch) / (rampEpochs - 1) : assumed
}

/** How many of `count` are kept at that rate: rounded down, and at least one, since no loss has no gradient. */
export function keepCount(options: ForgetOptions, epoch: number, count: number): number {
  return Math.max(1, Math.trunc((1 - forgetRate(options, epoch)) * count))
}

/** The settings as data, checked. */
export function forgetSettings(
  method: string,
  options: ForgetOptions,
): { readonly assumed: number; readonly rampEpochs: number } {
  const { assumed, rampEpochs = 10 } = options
  if (!(assumed >= 0 && assumed < 1)) {
    throw new RlviError(method, 'the assumed share of wrong labels must be at least 0, below 1', assumed)
  }
  if (!(Number.isInteger(rampEpochs) && rampEpochs >= 2)) {
    throw new RlviError(method, 'rampEpochs must be whole and at least 2', rampEpochs)
  }
  return { assumed, rampEpochs }
}
