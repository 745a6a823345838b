import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'
import { readingFlags } from '../terminal/reading-flags.js'
import { rowsFile, shared } from '../terminal/shared-flags.js'

export const predictFlags = {
  keep: flag.yes('all columns of the file come first, as they are'),
  intervals: flag.yes(
    'low and high: where the prediction lies with a probability of 90 %; for linear the value of a good row, for ' +
      'labels the probability, for counts the rate',
  ),
  rows: rowsFile('write to .csv or .parquet instead of printing'),
  spreadsheetSafe: shared.spreadsheetSafe,
  table: shared.table,
  ...readingFlags,
  split: flag.oneOf('PART', ['test', 'train'], 'for a data set of images: test (default) or train'),
  strict: flag.yes('a missing value or an unknown category is an error'),
  json: flag.yes('one JSON document; with --rows the summary only'),
}

/** The flags of `rlvi predict` as a command line has them. */
export type PredictFlags = GivenOf<typeof predictFlags>

export const predictHelp = help`
  Apply a saved model to a file.

  Usage
    $ rlvi predict MODEL.json FILE
    $ rlvi predict MODEL.onnx FOLDER|DATASET

  Prints CSV, a line for each input row, in input order: row (from 1) and predicted; for labels also suggested
  (and each label's probability under softmax); for pca the score on each component and loss; for mean and
  covariance the distance from the centre, in units of the spread. Rows with missing values or unknown categories
  stay empty. Where the file has the target, the error is reported. FILE may be - for stdin; several files are one
  table.

  A network's images are a data set, a folder with a subfolder for each class, or a folder of images alone. A line has
  row, file, label (where there is one), predicted (the probability of the suggested class), suggested and, where the
  label is one of the network's, loss (-log of its probability).

  Options
${predictFlags}

  Examples
    $ rlvi predict model.json new.csv > predicted.csv
    $ rlvi predict model.json new.parquet --rows predicted.parquet
    $ rlvi predict fruit.onnx new-photos --rows predicted.csv

`
