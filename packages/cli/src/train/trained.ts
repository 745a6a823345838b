import { givenUp } from '@rlvi/nn/methods'
import type { DataSet, EpochLine, Run, Settings } from '@rlvi/vision'
import { type HabitMatrix, habitMatrix } from './habits.js'
import type { Seen } from './level-remarks.js'
import type { TrainOptions } from './options.js'

/** A run that has begun: what it is about. */
export interface Begun {
  readonly data: DataSet
  readonly settings: Settings
  readonly options: TrainOptions
  readonly run: Run
}

/** A run that is done. */
export interface Trained extends Begun {
  /** A line for each epoch. */
  readonly lines: readonly EpochLine[]
  /** The epoch whose accuracy the method reports, from 1. */
  readonly reported: number
}

/** The accuracy that is reported, and on which images: the test images, or those held out where there are none. */
export function accuracyOf({ lines, reported }: Trained): {
  readonly accuracy: number
  readonly measuredOn: 'test' | 'validation'
} {
  const { test, validation } = lines[reported - 1]!
  return test === undefined
    ? { accuracy: validation, measuredOn: 'validation' }
    : { accuracy: test, measuredOn: 'test' }
}

/** How labels go wrong, where the method says so. */
export function habitsIn({ run, data }: Begun): HabitMatrix | undefined {
  const { habits } = run.training.state.arrays
  return habits === undefined ? undefined : habitMatrix(habits, data.classes)
}

/** What the share of wrong labels rests on, where the method says one. */
export function seenBy({ run, data }: Begun): Seen {
  const { labels } = run.splits.training
  const { arrays, clean } = run.training.state
  const { predictions } = arrays
  const { classes } = data
  const known = predictions && { predictions, labels, classes: classes.length }
  return { images: labels.length, classes, givenUp: known === undefined ? [] : givenUp(known, clean) }
}
