import { defaultAssumed, defaultMethod, errorLawChoices, methodNames, modelNames } from '@rlvi/estimator'
import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'
import { readingFlags } from '../terminal/reading-flags.js'
import { assume, rowsFile, shared } from '../terminal/shared-flags.js'
import { memorySize } from './memory-size.js'

const { target, features, exclude, table, spreadsheetSafe, json, seed } = shared

const memory = flag.of(
  'SIZE',
  'how much of the memory the rows may take, such as 500MB or 2GiB (default: half of what there is)\n' +
    'a larger table is read block by block (methods calibrated, paper and ml)',
  memorySize,
)

const whatToFit = {
  target,
  model: flag.oneOf(
    'MODEL',
    modelNames,
    'without it: logistic for two labels, softmax for more, else linear; labels are texts, two whole numbers, or up to ' +
      '20 that are each frequent',
  ),
  features,
  exclude,
  categories: flag.list('A,B', 'columns whose values are categories, though they look like numbers or dates'),
  numbers: flag.list('A,B', 'columns whose values are numbers: words among them are missing values'),
  dateParts: flag.yes('dates become year, month, weekday and hour, instead of days since the first'),
  dateOrder: flag.oneOf(
    'ORDER',
    ['dmy', 'mdy'],
    'whether day (dmy) or month (mdy) comes first in dates such as 1/2/2020; without it they must tell',
  ),
  intercept: flag.no('no constant term'),
  components: flag.wholeNumber('K', 1, 'for pca: how many (default 1)'),
  table,
  engine: flag.oneOf(
    'ENGINE',
    ['duckdb', 'clickhouse'],
    'what reads FILE; without it duckdb for files, clickhouse for clickhouse://…',
  ),
  strict: flag.yes('a missing value is an error'),
  memory,
}

const howToFit = {
  method: flag
    .oneOf(
      'METHOD',
      methodNames,
      'calibrated (default): infers the share of bad rows, and P(good) of every row\n' +
        'paper: the published method; ml: no protection; huber (linear only), sever, rrm',
    )
    .or(defaultMethod),
  assume: assume(
    `the largest share of bad rows to assume, between 0 and 1 (default ${defaultAssumed}): for sever, rrm, and ` +
      'covariance under paper',
  ),
  errors: flag.oneOf(
    'LAW',
    errorLawChoices,
    'how good rows scatter, for calibrated; auto (default): the law that they speak for\n' +
      'normal, student (heavier tails), skewed; for linear also light (lighter tails) and varying (more or less where the\n' +
      'prediction is large)\n' +
      'for poisson: poisson, negative-binomial (more than Poisson counts)',
  ),
  seed,
}

const whatToReport = {
  rows: rowsFile(
    'a line for each input row, to .csv or .parquet: row (from 1, after the header), clean (P(good)), ' +
      'flagged (clean below 0.5), loss, predicted, and for labels suggested',
  ),
  rowsTable: flag.text(
    'NAME',
    'for a table of ClickHouse: all its rows with what --rows has of each, to a new table of that database',
  ),
  keep: flag.yes('in --rows all columns of the file come first, as they are'),
  good: rowsFile('the good rows with all their columns, to .csv or .parquet: the cleaned file'),
  flagged: rowsFile('the flagged rows with all their columns, to .csv or .parquet'),
  report: flag.file(
    'FILE',
    ['.html'],
    'a page to look at, to .html: columns, share of bad rows, both fits, plots, the bad rows with why',
  ),
  spreadsheetSafe,
  odds: flag.yes('odds ratios beside the coefficients of two labels, rate ratios beside those of counts'),
  save: flag.file('FILE', ['.json'], 'the model, to .json, for rlvi predict'),
  json,
}

export const fitFlags = { ...whatToFit, ...readingFlags, ...howToFit, ...whatToReport }

/** The flags of `rlvi fit` as a command line has them. */
export type FitFlags = GivenOf<typeof fitFlags>

export const fitHelp = help`
  Fit a model to the good rows of a file, and find the bad ones.

  Usage
    $ rlvi fit FILE --target COLUMN [--model linear|logistic|softmax|poisson]
    $ rlvi fit FILE --model mean|covariance|pca [--components K]
    $ rlvi fit clickhouse://user@host:8123/database --table NAME_OR_SQL …

  FILE is CSV, Parquet, JSON, NDJSON or a DuckDB file, or - for stdin; several files, or a pattern in quotes, are one
  table. A table of a ClickHouse server stays there; CLICKHOUSE_PASSWORD has the password. Rows with missing values are
  dropped and counted. Texts and true/false become indicator columns, named column=value; the most frequent value has
  none. Columns that never vary, or only name the rows, are left out.

  What to fit
${whatToFit}

  How the file is read
${readingFlags}

  How to fit
${howToFit}

  What to report
${whatToReport}

  With labels, predicted is a probability: of the second class (logistic) or of the suggested one (softmax).

  Examples
    $ rlvi fit stars.csv --target log_light
    $ rlvi fit mail.parquet --target spam --exclude id --rows suspects.csv
    $ rlvi fit stars.csv --target log_light --report stars.html
    $ rlvi fit stars.csv --target log_light --errors student
    $ rlvi fit - --target log_light --missing -999 < stars.csv
    $ rlvi fit sensors.csv --model covariance --method paper --assume 0.2 --json

`
