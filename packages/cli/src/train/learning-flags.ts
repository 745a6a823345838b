import { flag } from '../terminal/flags.js'
import { assume, shared } from '../terminal/shared-flags.js'
import { methodNames, networkNames } from './names.js'

/** What computes. */
export const executorFlags = {
  executor: flag
    .oneOf(
      'EXECUTOR',
      ['onnx', 'cuda', 'reference'],
      'onnx (default): the processor; cuda: an NVIDIA card, see rlvi devices; reference: plain loops, slow',
    )
    .or('onnx'),
  precision: flag.oneOf(
    'PRECISION',
    ['bf16', 'tf32', 'fp32'],
    'cuda: bf16 (default): images in 16 bits, fastest; tf32; fp32: exact',
  ),
  device: flag.wholeNumber('N', 0, 'cuda: the number of the card (default 0)'),
}

/** The network and how it learns. */
export const networkFlags = {
  network: flag.oneOf(
    'NETWORK',
    networkNames,
    'lenet (28 x 28), resnet18, resnet34 (small images), resnet50 (large ones); without it what the paper ' +
      'uses for the data set, or what suits the size, colour and number of the images',
  ),
  method: flag
    .oneOf(
      'METHOD',
      methodNames,
      'posterior (default): learns the true labels, infers the share of wrong ones and how classes are mistaken\n' +
        'rlvi: the published method, which leaves wrong labels out\n' +
        'standard: no protection; bare; coteaching, jocor, cdr, usdnl: assume that share\n' +
        'rlvi-untruncated: without the cut that keeps wrong labels from being learned late',
    )
    .or('posterior'),
  assume: assume('for those that assume it: the share of wrong labels, between 0 and 1'),
  epochs: flag.wholeNumber('N', 1, 'passes over the images'),
  batch: flag.wholeNumber('N', 1, 'images in a step'),
  learningRate: flag.amount('R', 'of the first epoch'),
  weightDecay: flag.amount('W', 'of the weights, in every step'),
  weights: flag.text(
    'FILE',
    'start from pre-trained weights, .safetensors or .onnx; the last layer starts anew',
  ),
  ...executorFlags,
  threads: flag.wholeNumber(
    'N',
    1,
    'of the network (default: all cores; 1 is faster on a machine that is busy)',
  ),
  seed: shared.seed,
}

/** Which images, and how those of a folder are read. */
export const imageFlags = {
  size: flag.wholeNumber(
    'PIXELS',
    1,
    'the side of the square that each becomes (default 28 for lenet, else 32)',
  ),
  grey: flag.yes('one channel instead of three (default where the images have no colour)'),
  fit: flag.oneOf(
    'WAY',
    ['crop', 'stretch', 'pad'],
    'crop (default): the middle; stretch; pad: black beside it',
  ),
  limit: flag.wholeNumber('N', 10, 'use N images only, drawn by the seed'),
}

/** Where the work is kept while it goes on. */
export const keepingFlags = {
  checkpoint: flag.text('FOLDER', 'where the run is kept after each epoch, and every five minutes'),
  resume: flag.yes('go on from there, as if nothing had happened'),
}

/** What `train` and `audit` have in common. */
export const learningFlags = { ...networkFlags, ...imageFlags }
