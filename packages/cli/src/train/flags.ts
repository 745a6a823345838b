import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'
import { imageFlags, keepingFlags, networkFlags } from './learning-flags.js'
import { noiseTypes } from './names.js'

const noise = {
  noise: flag.oneOf('TYPE', noiseTypes, 'symmetric, asymmetric, pairflip, instance'),
  rate: flag.share(
    'R',
    'the share, between 0 and 1\n' +
      'With noise, clean kept and corrupt caught say how many of the labels are taken for what they are.',
  ),
}

const whatToKeep = {
  save: flag.file('FILE', ['.onnx'], 'the network, to .onnx, for rlvi predict and any ONNX runtime'),
  log: flag.file('FILE', ['.csv'], 'a line for each epoch, to .csv'),
  ...keepingFlags,
  json: flag.yes('one JSON document'),
}

export const trainFlags = { ...networkFlags, ...imageFlags, ...noise, ...whatToKeep }

/** The flags of `rlvi train` as a command line has them. */
export type TrainFlags = GivenOf<typeof trainFlags>

export const trainHelp = help`
  Train a network on images of which some have wrong labels.

  Usage
    $ rlvi train DATASET|FOLDER

  DATASET is a name (see rlvi data list), FOLDER has a subfolder of images for each class. A tenth of the images is
  held out for validation. A line for each epoch has the accuracy on the given labels of the images that are
  trained on and of those held out, and on the test images where there are any.

  The network and how it learns
${networkFlags}

  How images of a folder are read
${imageFlags}

  Wrong labels on purpose, to see what they do
${noise}

  What to keep
${whatToKeep}

  Examples
    $ rlvi train photos --size 28 --grey --save photos.onnx
    $ rlvi train mnist --noise pairflip --rate 0.45 --epochs 10
    $ rlvi train fashion-mnist --method coteaching --assume 0.2 --checkpoint run --resume --log run.csv

`
