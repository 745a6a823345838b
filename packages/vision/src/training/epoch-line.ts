import type { EpochMetrics } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import type { DataSet } from '../data/data-set.js'

/** What is known after an epoch. Shares are between 0 and 1. */
export interface EpochLine {
  readonly epoch: number
  /** Accuracy by the given labels, while training. */
  readonly train: number
  /** Accuracy by the given labels of the held-out images. */
  readonly validation: number
  /** Accuracy by the true labels of the test images, where there are any. */
  readonly test?: number
  /** Samples whose weight lies below do not count; 0 before truncation begins. */
  readonly threshold?: number
  /** Shares of the clean and of the corrupt labels that were taken for what they are. */
  readonly cleanKept?: number
  readonly corruptCaught?: number
  /** The estimated share of wrong labels. */
  readonly level?: number
  /** What that share may be. */
  readonly interval?: readonly [number, number]
  /** Training, E-step and validation, without the test. */
  readonly seconds: number
}

/** How many images there are to train on, and to test on. */
export function imagesOf({ train, test }: DataSet): { readonly train: number; readonly test: number } {
  return { train: train.labels.length, test: test?.labels.length ?? 0 }
}

/** What is shown of an epoch. */
export function lineOf(metrics: EpochMetrics): EpochLine {
  const { epoch, train, validation, test, threshold, cleanKept, corruptCaught, level, interval, seconds } =
    metrics
  if (validation === undefined) throw new RlviError('epoch', 'a validation accuracy is needed', 'none')
  return {
    epoch,
    train,
    validation,
    ...(test === undefined ? {} : { test }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(cleanKept === undefined ? {} : { cleanKept }),
    ...(corruptCaught === undefined ? {} : { corruptCaught }),
    ...(level === undefined ? {} : { level }),
    ...(interval === undefined ? {} : { interval }),
    seconds,
  }
}
