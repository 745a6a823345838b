import { RlviError } from 'rlvi'

export interface ForgetOptions {
  /** The share of wrong labels, which these methods must be told. */
  readonly rate: number
  /** Epochs until the full share is left out, counted from 0 as in the published code. Default 10. */
  readonly rampEpochs?: number
}

/** The share of a batch to leave out in an epoch (the first is 1): rises evenly, then stays. */
export function forgetRate({ rate, rampEpochs = 10 }: ForgetOptions, epoch: number): number {
  return epoch < rampEpochs ? (rate * epoch) / (rampEpochs - 1) : rate
}

/** How many of `count` are kept at that rate: rounded down, and at least one, since no loss has no gradient. */
export function keepCount(options: ForgetOptions, epoch: number, count: number): number {
  return Math.max(1, Math.trunc((1 - forgetRate(options, epoch)) * count))
}

/** The settings as data, checked. */
export function forgetSettings(
  method: string,
  options: ForgetOptions,
): { readonly rate: number; readonly rampEpochs: number } {
  const { rate, rampEpochs = 10 } = options
  if (!(rate >= 0 && rate < 1)) {
    throw new RlviError(method, 'the share of wrong labels must be at least 0, below 1', rate)
  }
  if (!(Number.isInteger(rampEpochs) && rampEpochs >= 2)) {
    throw new RlviError(method, 'rampEpochs must be whole and at least 2', rampEpochs)
  }
  return { rate, rampEpochs }
}
