import { supervisedModels } from '@rlvi/estimator'
import { fitFlags } from '../fit/flags.js'
import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'
import { readingFlags } from '../terminal/reading-flags.js'
import { rowsFile, shared } from '../terminal/shared-flags.js'
import { imageFlags, keepingFlags, learningFlags, networkFlags } from '../train/learning-flags.js'

const whatToReport = {
  top: flag.wholeNumber('N', 1, 'how many suspects are listed and shown, at most').or(100),
  report: flag.file(
    'FILE',
    ['.html'],
    'a page with the images of the suspects, to .html; it needs nothing else',
  ),
  rows: rowsFile(
    'all samples, worst first, to .csv or .parquet: row (from 1), file, label, suggested, probability (of the ' +
      'suggested one), clean (P(right)), loss',
  ),
  decisions: flag.file(
    'FILE',
    ['.csv'],
    'the suspects with what to do about each (relabel, look, repair), to .csv, to be edited and worked through',
  ),
  spreadsheetSafe: shared.spreadsheetSafe,
  json: flag.yes('one JSON document'),
}

const whichLabels = {
  split: flag
    .oneOf(
      'PART',
      ['train', 'test'],
      'train (default), or test: the test labels, by networks trained on the others',
    )
    .or('train'),
  folds: flag.wholeNumber(
    'K',
    2,
    'parts of the data, each judged by networks, or a fit, that saw only the others (default 3; tables 5)',
  ),
  networks: flag.wholeNumber('N', 1, 'an ensemble of N networks from different seeds').or(1),
}

const ofTables = {
  target: flag.text('COLUMN', 'the labels, or numbers'),
  features: shared.features,
  exclude: shared.exclude,
  categories: fitFlags.categories,
  numbers: fitFlags.numbers,
  dateParts: fitFlags.dateParts,
  dateOrder: fitFlags.dateOrder,
  table: shared.table,
  ...readingFlags,
  model: flag.oneOf(
    'MODEL',
    supervisedModels,
    'without it: logistic or softmax for labels (texts, and up to 20 different whole numbers), else linear\n' +
      'with linear or poisson the numbers that look wrong are listed, with those that were to be expected',
  ),
  errors: fitFlags.errors,
  intercept: fitFlags.intercept,
  strict: fitFlags.strict,
}

const ofCurves = {
  curves: flag.yes(
    'let every column of numbers bend: a smooth curve of it (a spline) in place of a straight line',
  ),
}

/** For images. */
export const imageAuditFlags = { ...whatToReport, ...whichLabels, ...learningFlags, ...keepingFlags }

/** For a table; how it is fitted is said as for `rlvi fit`. */
export const tableAuditFlags = {
  ...whatToReport,
  ...ofTables,
  curves: ofCurves.curves,
  folds: whichLabels.folds,
  method: fitFlags.method,
  assume: fitFlags.assume,
  seed: shared.seed,
}

/** For either: the data say which. */
export const auditFlags = { ...tableAuditFlags, ...imageAuditFlags }

/** The flags of `rlvi audit` as a command line has them. */
export type AuditFlags = GivenOf<typeof auditFlags>

export const auditHelp = help`
  List the images or rows whose labels look wrong, worst first, with the label that they look like.

  Usage
    $ rlvi audit DATASET|FOLDER
    $ rlvi audit FILE --target COLUMN

  Images: networks are trained robustly, and each label is judged by networks that have not learned from it. Tables:
  rlvi fit says how many labels are wrong, and fits to the other rows what each one looks like.

  What to report
${whatToReport}

  Which labels
${whichLabels}

  The network and how it learns
${networkFlags}

  How images of a folder are read
${imageFlags}

  Work that may be interrupted
${keepingFlags}

  Tables
${{ ...ofTables, ...ofCurves }}
    --method, --assume and --seed are those of rlvi fit, --folds is that of images

  Examples
    $ rlvi audit photos --report suspects.html --decisions todo.csv
    $ rlvi audit mnist --split test --rows ranking.csv
    $ rlvi audit mail.csv --target spam --exclude id

`
