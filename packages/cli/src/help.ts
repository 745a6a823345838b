export const mainHelp = `
  Learn from data of which some part is wrong.

  Usage
    $ rlvi <command> …

  Commands
    fit         fit a model to the good rows of a file, and find the bad ones
    predict     apply a saved model to a file
    stream      learn from rows as they come, while the share of bad ones changes
    train       train a network on images of which some have wrong labels
    audit       list the images or rows whose labels look wrong, worst first
    data        get the data sets of the experiments
    reproduce   run an experiment of the paper

  Options
    --help      this text, or that of a command: rlvi fit --help
    --version   the version

  Examples
    $ rlvi fit stars.csv --target light
    $ rlvi fit stars.csv --target light --rows rows.csv --save model.json
    $ rlvi predict model.json more-stars.csv
    $ rlvi audit photos --report suspects.html

`

export const fitHelp = `
  Fit a model to the good rows of a file, and find the bad ones.

  Usage
    $ rlvi fit FILE --target COLUMN [--model linear|logistic|softmax|poisson]
    $ rlvi fit FILE --model mean|covariance|pca [--components K]

  FILE is CSV, Parquet, JSON, NDJSON or a DuckDB file. Rows with missing values are dropped and counted.
  Texts and true/false become indicator columns, named column=value; the most frequent value has none.

  What to fit
    --target COLUMN      the column to explain
    --model MODEL        without it: logistic for 0/1 and for two labels, softmax for more labels, else linear
    --features A,B,C     the columns to use; without it all of them (may be repeated)
    --exclude A,B        all columns but these (may be repeated)
    --no-intercept       no constant term
    --components K       for pca: how many (default 1)
    --table NAME_OR_SQL  for a DuckDB file: a table's name, or a query
    --engine ENGINE      duckdb (default)
    --strict             a missing value is an error

  How to fit
    --method METHOD      calibrated (default): infers the share of bad rows, and P(good) of every row
                         paper: the published method; ml: no protection; huber (linear only), sever, rrm
    --epsilon E          the largest share of bad rows to expect, between 0 and 1 (default 0.3):
                         for sever, rrm, and covariance under paper
    --seed N             for all that is random (default 0)

  What to tell
    --rows FILE          a line for each input row, to .csv or .parquet: row (from 0), clean (P(good)),
                         flagged (clean below 0.5), loss, predicted, and for labels suggested
    --save FILE          the model, to .json, for rlvi predict
    --json               the result as one JSON document

  With labels, predicted is a probability: of the second class (logistic) or of the suggested one (softmax).

  Examples
    $ rlvi fit stars.csv --target light
    $ rlvi fit mail.parquet --target spam --exclude id --rows suspects.csv
    $ rlvi fit sensors.csv --model covariance --epsilon 0.2 --json

`

export const predictHelp = `
  Apply a saved model to a file.

  Usage
    $ rlvi predict MODEL.json FILE
    $ rlvi predict MODEL.onnx FOLDER|DATASET

  Prints CSV, a line for each input row, in input order: row (from 0) and predicted; for labels also suggested
  (and each label's probability under softmax); for pca the score on each component and loss; for mean and
  covariance the distance from the centre, in units of the spread. Rows with missing values or unknown categories stay empty. Where the file has the
  target, the error is told.

  A network's images are a data set, a folder with a subfolder for each class, or a folder of images alone. A line has
  row, file, label (where there is one), predicted (the probability of the suggested class) and suggested.

  Options
    --rows FILE          write to .csv or .parquet instead of printing
    --table NAME_OR_SQL  for a DuckDB file: a table's name, or a query
    --split PART         for a data set of images: test (default) or train
    --strict             a missing value or an unknown category is an error
    --json               one JSON document; with --rows the summary only

  Examples
    $ rlvi predict model.json new.csv > predicted.csv
    $ rlvi predict model.json new.parquet --rows predicted.parquet
    $ rlvi predict fruit.onnx new-photos --rows predicted.csv

`

export const streamHelp = `
  Learn from rows as they come, while the share of bad ones changes.

  Usage
    $ rlvi stream --target COLUMN [--model logistic|linear|softmax] < ROWS > LINES

  Rows are NDJSON (a JSON object a line) or CSV with a header; the first sign tells which. The first row tells the
  columns. Out comes a line of JSON for each row, as soon as its batch is full. The prediction in it was made before
  anything was learned from the batch.

  What to learn
    --target COLUMN      the column to explain
    --model MODEL        logistic (default), linear, softmax
    --classes A,B,C      the labels: two for logistic (default 0,1), any number for softmax, which needs them
    --features A,B,C     the columns to use; without it all of them (may be repeated)
    --exclude A,B        all columns but these (may be repeated)
    --categories C=A,B   the values of a text column C: indicator columns for all but the first (may be repeated)

  How to learn
    --batch N            rows that are judged and learned together (default 100)
    --method METHOD      calibrated (default): infers the share of bad rows, and tells drift from corruption
                         paper: the published method; rrm; sgd: no protection
    --epsilon E          for rrm: the largest share of bad rows to expect, between 0 and 1 (default 0.3)

  Where rows come from
    --input FILE         read a file instead of stdin (may be repeated: one after the other)
    --format FORMAT      ndjson or csv, instead of looking at the first sign
    --follow             at the end of a file wait for more, as tail -f does; a pipe is always waited for
    --strict             a broken row is an error; without it, it is told with its line and left out

  What to tell
    --per UNIT           a line for each row (default) or batch
    --out FILE           lines to a file instead of stdout
    --save FILE          at the end the model, to .json, for rlvi predict

  Being killed
    --state FILE         remember everything in this file, at all times whole. After a kill give the same command and
                         the same input from its start: nothing is learned twice, nothing is skipped. The output
                         file is cut back and goes on; by a pipe the last lines come again: drop rows already seen
    --checkpoint-every S seconds between writes of the state (default 1); 0 is after every piece of input
    --input-continues    stdin goes on where the last run stopped reading, instead of beginning anew

  A line has row (from 0), batch (from 1), predicted, for labels suggested, clean (P(good)), loss, level (the
  share of bad rows in its batch) and event (drift or corruption, on the last row of the batch that showed it).
  With labels, predicted is a probability: of the second class (logistic) or of the suggested one (softmax).

  Examples
    $ rlvi stream --target y < rows.ndjson > lines.ndjson
    $ tail -F clicks.ndjson | rlvi stream --target bought --exclude id --per batch
    $ rlvi stream --input sensors.csv --follow --target load --model linear --state s.json --out lines.ndjson

`

export const dataHelp = `
  Get the data sets of the experiments: fetched once, verified by checksum, kept in a cache.

  Usage
    $ rlvi data list            what there is, where it comes from, and what is fetched
    $ rlvi data fetch NAME      fetch it; prints its folder
    $ rlvi data path NAME       print its folder

  Names
    mnist   fashion-mnist   cifar10   cifar100   cifar80no   cifar10n   cifar100n   food101

  Options
    --from PATH    for fetch: take the files from a folder, an archive or a file of yours
    --json         one JSON document

  The cache is $RLVI_CACHE, or rlvi in the folder that your system has for caches. A folder of images of your own
  needs no fetching: give its path instead of a name.

  Examples
    $ rlvi data fetch mnist
    $ rlvi data fetch cifar100 --from cifar-100-binary.tar.gz
    $ rlvi data fetch cifar10n --from CIFAR-10_human.csv

`

export const reproduceHelp = `
  Run an experiment of the paper, all methods side by side.

  Usage
    $ rlvi reproduce EXPERIMENT

  Experiments
    linear-regression   linear-curve   logistic-regression   pca   covariance   mean
    online   online-batches   streams (not in the paper)
    mnist   cifar10   cifar100   cifar80no   food101   regularization   time

  Options
    --runs N       how many data sets (default 100), runs over a stream (default 10), or seeds of a
                   network (default 1, with --full 5)
    --data PATH    online: humanactivity.mat, or a CSV of it; streams: a folder with CSV files, the label
                   in the last column; without it a synthetic stand-in. Networks: a folder with the data
                   set's files, in place of the fetched ones
    --out FOLDER   write a page with the figures there; networks: also every result, so that it is not
                   computed again, and what a stopped run needs to go on
    --threads N    worker threads, or those of a network (default: all cores)
    --seed N       default 0
    --json         the records as one JSON array

  Networks: without --full a small part that a CPU can do in minutes, and says so. A table can be filled by many
  commands with the same --out; what was not run yet has a dash.
    --full         the whole experiment: weeks on a CPU
    --only CELLS   method=rlvi,noise=pairflip,rate=0.45: only these (may be repeated, for more values)
    --epochs N     instead of the paper's
    --limit N      train and test on N images only
    --weights FILE food101: the pre-trained weights, .safetensors or .onnx

  Examples
    $ rlvi reproduce linear-regression --runs 1000 --out results
    $ rlvi reproduce online --data humanactivity.mat --runs 20
    $ rlvi reproduce mnist --only method=standard,method=rlvi,noise=pairflip --epochs 10 --runs 3 --out mnist

`
