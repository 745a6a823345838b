import { RlviError } from 'rlvi'
import type { Value } from '../../graph/builder.js'
import {
  add,
  div,
  exp,
  greater,
  greaterEqual,
  matmul,
  maximum,
  mean,
  mul,
  oneHot,
  reshape,
  sqrt,
  sub,
  sum,
  where,
} from '../../graph/values.js'
import type { Method } from '../method.js'
import { closeStep, network, openStep } from './step.js'

/** Settings of BARE. */
export interface BareOptions {
  /** How many standard deviations above its class's mean a probability must be. Default 1. */
  readonly deviations?: number
  /**
   * Divides by the number of kept samples, as the published code does, and not by the size of the batch. Where few are
   * kept the steps become long, and with momentum a network may be lost. Default false.
   */
  readonly meanOfKept?: boolean
}

/**
 * BARE (Patel & Sastry, 2023): a sample is kept if its label's probability stands out among the probabilities that the
 * batch gives to that label. It needs no noise rate.
 */
export function bare(options: BareOptions = {}): Method {
  const { deviations = 1, meanOfKept = false } = options
  if (!Number.isFinite(deviations))
    throw new RlviError('bare', 'deviations must be a finite number', deviations)
  return {
    name: 'bare',
    options: { deviations, meanOfKept },
    keeps: 'batch',
    report: 'last',
    step: (setup) => {
      const batch = openStep(setup)
      const net = network(setup, batch)
      const kept = standsOut(net.logProbabilities, batch.y, deviations)
      const count = sum(kept)
      // Where nobody stands out the whole batch is learned.
      const weights = where(greater(count, 0), div(kept, meanOfKept ? count : setup.batch), 1 / setup.batch)
      return closeStep(setup, batch, sum(mul(net.losses, weights)), net, kept)
    },
    feeds: () => ({}),
  }
}

const SMALLEST = 1e-8

/** 1 for rows whose label's probability is at least the mean plus some standard deviations of its column. */
export function standsOut(logProbabilities: Value, y: Value, deviations: number): Value {
  const [rows, classes] = logProbabilities.shape
  // What is nearly 0 counts as equal, so that a class that nobody is given lets all its samples in.
  const p = maximum(exp(logProbabilities), SMALLEST)
  const centre = mean(p, { axes: [0], keepDims: true })
  const gap = sub(p, centre)
  // A lone row has no spread, and then stands out against itself.
  const variance = mul(sum(mul(gap, gap), { axes: [0], keepDims: true }), 1 / Math.max(1, rows - 1))
  const threshold = add(centre, mul(sqrt(variance), deviations))
  const hot = oneHot(y, classes)
  const own = sum(mul(p, hot), { axes: [1] })
  return greaterEqual(own, reshape(matmul(hot, threshold, { transposeB: true }), [rows]))
}
