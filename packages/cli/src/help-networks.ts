const learning = `  The network and how it learns
    --network NETWORK    lenet (28 x 28, grey), resnet18, resnet34 (small images), resnet50 (large ones);
                         without it what the paper uses for the data set, or what suits the size of the images
    --method METHOD      rlvi (default): the published method; calibrated: infers the share of wrong labels
                         standard: no protection; bare; coteaching, jocor, cdr, usdnl: must be told that share
                         rlvi-untruncated: without the cut that keeps wrong labels from being learned late
    --assume R           for those that must be told: the share of wrong labels, between 0 and 1
    --epochs N           passes over the images
    --batch N            images in a step
    --learning-rate R    of the first epoch
    --weight-decay W
    --weights FILE       start from pre-trained weights, .safetensors or .onnx; the last layer starts anew
    --executor EXECUTOR  onnx (default), or reference: plain loops, slow
    --threads N          of the network (default: all cores; 1 is faster on a machine that is busy)
    --seed N             for all that is random (default 0)

  How images of a folder are read
    --size PIXELS        the side of the square that each becomes (default 32)
    --grey               one channel instead of three
    --fit WAY            crop (default): the middle; stretch; pad: black beside it
    --limit N            use N images only, drawn by the seed`

export const trainHelp: string = `
  Train a network on images of which some have wrong labels.

  Usage
    $ rlvi train DATASET|FOLDER

  DATASET is a name (see rlvi data list), FOLDER has a subfolder of images for each class. A tenth of the images is
  held out for validation. A line for each epoch tells the accuracy on the given labels of the images that are
  trained on and of those held out, and on the test images where there are any.

${learning}

  Wrong labels on purpose, to see what they do
    --noise TYPE         symmetric, asymmetric, pairflip, instance
    --rate R             the share, between 0 and 1
                         With noise, clean kept and corrupt caught tell how many of the labels are taken for
                         what they are.

  What to keep
    --save FILE          the network, to .onnx, for rlvi predict and any ONNX runtime
    --log FILE           a line for each epoch, to .csv
    --checkpoint FOLDER  where the run is kept after each epoch, and every five minutes
    --resume             go on from there, as if nothing had happened
    --json               one JSON document

  Examples
    $ rlvi train photos --save photos.onnx
    $ rlvi train mnist --noise pairflip --rate 0.45 --epochs 10
    $ rlvi train cifar10 --noise symmetric --rate 0.2 --checkpoint run --resume --log run.csv

`

export const auditHelp: string = `
  List the images or rows whose labels look wrong, worst first, with the label that they look like.

  Usage
    $ rlvi audit DATASET|FOLDER
    $ rlvi audit FILE --target COLUMN

  Images: networks are trained robustly, and each label is judged by networks that have not learned from it. Tables:
  rlvi fit with the rows listed.

  What to tell
    --top N              how many suspects are listed and shown (default 100)
    --report FILE        a page with the images of the suspects, to .html; it needs nothing else
    --rows FILE          all samples, worst first, to .csv or .parquet: row (from 0), file, label, suggested,
                         probability (of the suggested one), clean (P(label right)), loss
    --json               one JSON document

  Which labels
    --split PART         train (default), or test: the test labels, by networks trained on the others
    --folds K            train: how many parts, each judged by a network trained on the others (default 3)
    --networks N         ask N networks from different seeds (default 1)

${learning}

  Tables
    --target COLUMN      the labels
    --features A,B,C     the columns to use (may be repeated); --exclude A,B: all but these
    --table NAME_OR_SQL  for a DuckDB file
    --method METHOD      as for rlvi fit

  Examples
    $ rlvi audit photos --report suspects.html
    $ rlvi audit mnist --split test --rows ranking.csv
    $ rlvi audit mail.csv --target spam

`
