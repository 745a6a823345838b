import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'
import { readingFlags } from '../terminal/reading-flags.js'
import { assume, shared } from '../terminal/shared-flags.js'
import { batchSize, category, names, seconds } from './flag-values.js'

const whatToLearn = {
  target: shared.target,
  model: flag.oneOf(
    'MODEL',
    ['logistic', 'linear', 'softmax'],
    'logistic (default), linear, softmax (default where there are more than two --classes)',
  ),
  classes: flag.of(
    'A,B,C',
    'the labels: two for logistic (default 0,1), any number for softmax, which needs them',
    names,
  ),
  features: shared.features,
  exclude: shared.exclude,
  categories: flag.listOf(
    'C=A,B',
    'the values of a text column C: indicator columns for all but the first',
    category,
  ),
}

const howToLearn = {
  batch: flag.of('N', 'rows that are judged and learned together', batchSize).or(100),
  method: flag
    .oneOf(
      'METHOD',
      ['calibrated', 'paper', 'rrm', 'sgd'],
      'calibrated (default): infers the share of bad rows, and tells drift from corruption\n' +
        'paper: the published method; rrm; sgd: no protection',
    )
    .or('calibrated'),
  assume: assume('for rrm: the largest share of bad rows to assume, between 0 and 1 (default 0.3)'),
}

const whereRowsComeFrom = {
  input: flag.listOf(
    'FILE',
    'read a file instead of stdin; several are read one after the other',
    (_, path) => path,
  ),
  format: flag.oneOf('FORMAT', ['ndjson', 'csv'], 'ndjson or csv, instead of looking at the first character'),
  ...readingFlags,
  follow: flag.yes('at the end of a file wait for more, as tail -f does; a pipe is always waited for'),
  strict: flag.yes('a broken row is an error; without it, it is reported with its line and left out'),
}

const whatToReport = {
  per: flag.oneOf('UNIT', ['row', 'batch'], 'a line for each row (default) or batch').or('row'),
  id: flag.text('COLUMN', 'a column that each line carries as id; it explains nothing'),
  out: flag.text('FILE', 'lines to a file instead of stdout'),
  save: flag.file('FILE', ['.json'], 'at the end the model, to .json, for rlvi predict'),
}

const beingKilled = {
  state: flag.text(
    'FILE',
    'remember everything in this file, at all times whole. After a kill give the same command and the same input ' +
      'from its start: nothing is learned twice, nothing is skipped. The output file is cut back and goes on; by a ' +
      'pipe the last lines come again: drop rows already seen',
  ),
  checkpointEvery: flag.of(
    'S',
    'seconds between writes of the state (default 1); 0 is after every piece of input',
    seconds,
  ),
  inputContinues: flag.yes('stdin goes on where the last run stopped reading, instead of beginning anew'),
}

export const streamFlags = {
  ...whatToLearn,
  ...howToLearn,
  ...whereRowsComeFrom,
  ...whatToReport,
  ...beingKilled,
}

/** The flags of `rlvi stream` as a command line has them. */
export type StreamFlags = GivenOf<typeof streamFlags>

export const streamHelp = help`
  Learn from rows as they come, while the share of bad ones changes.

  Usage
    $ rlvi stream --target COLUMN [--model logistic|linear|softmax] < ROWS > LINES

  Rows are NDJSON (a JSON object a line) or CSV with a header; the first character says which. The first row says
  which columns there are. Out comes a line of JSON for each row, as soon as its batch is full. The prediction in it
  was made before anything was learned from the batch.

  What to learn
${whatToLearn}

  How to learn
${howToLearn}

  Where rows come from
${whereRowsComeFrom}

  What to report
${whatToReport}

  Being killed
${beingKilled}

  A line has row (from 1), id where asked for, batch (from 1), predicted, for labels suggested (in the type that they
  came in), clean (P(good)), loss, level (the share of bad rows in its batch) and event (drift or corruption, on the
  last row of the batch that showed it).
  With labels, predicted is a probability: of the second class (logistic) or of the suggested one (softmax).

  Examples
    $ rlvi stream --target y < rows.ndjson > lines.ndjson
    $ tail -F clicks.ndjson | rlvi stream --target bought --exclude id --per batch
    $ rlvi stream --input sensors.csv --follow --target load --model linear --state load.json --out load.ndjson

`
