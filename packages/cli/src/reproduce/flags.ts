import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'
import { shared } from '../terminal/shared-flags.js'
import { executorFlags } from '../train/learning-flags.js'

const ofAll = {
  runs: flag.wholeNumber(
    'N',
    1,
    'how many data sets (default 100), runs over a stream (default 10), or seeds of a network (default 1, with ' +
      '--full 5)',
  ),
  data: flag.text(
    'PATH',
    'online: humanactivity.mat, or a CSV of it; streams: a folder with CSV files, the label in the last column; ' +
      "without it a synthetic stand-in. Networks: a folder with the data set's files, in place of the fetched ones",
  ),
  out: flag.text(
    'FOLDER',
    'write a page with the figures there; networks: also every result, so that it is not computed again, and what a ' +
      'stopped run needs to go on',
  ),
  threads: flag.wholeNumber('N', 1, 'worker threads, or those of a network (default: all cores)'),
  seed: shared.seed,
  json: flag.yes('the records as one JSON array'),
}

/** Only for experiments with networks. */
export const networkOnly = {
  ...executorFlags,
  parallel: flag.wholeNumber('N', 1, 'cuda: networks that are trained at the same time (default 1)'),
  full: flag.yes('the whole experiment: weeks on a CPU'),
  only: flag.list('CELLS', 'method=rlvi,noise=pairflip,rate=0.45: only these, for one value or more of each'),
  epochs: flag.wholeNumber('N', 1, "instead of the paper's"),
  limit: flag.wholeNumber('N', 10, 'train and test on N images only'),
  weights: flag.text('FILE', 'food101: the pre-trained weights, .safetensors or .onnx'),
}

export const reproduceFlags = { ...ofAll, ...networkOnly }

/** The flags of `rlvi reproduce` as a command line has them. */
export type ReproduceFlags = GivenOf<typeof reproduceFlags>

export const reproduceHelp = help`
  Run an experiment of the paper, all methods side by side.

  Usage
    $ rlvi reproduce EXPERIMENT

  Experiments
    linear-regression   linear-curve   logistic-regression   pca   covariance   mean
    online   online-batches   streams (not in the paper)
    mnist   cifar10   cifar100   cifar80no   food101   regularization   time

  Options
${ofAll}

  Networks: without --full a small part that a CPU can do in minutes, and says so. A table can be filled by many
  commands with the same --out; what was not run yet has a dash.
${networkOnly}

  Examples
    $ rlvi reproduce linear-regression --runs 20 --out results
    $ rlvi reproduce online --data humanactivity.mat --runs 5
    $ rlvi reproduce mnist --only method=standard,method=rlvi,noise=pairflip --epochs 10 --runs 3 --out mnist

`
