export const mainHelp = `
  Learn from data of which some part is wrong.

  Usage
    $ rlvi <command> …

  Commands
    fit         fit a model to the good rows of a file, and find the bad ones
    look        look at the columns of a file: types, gaps, ranges, shapes
    predict     apply a saved model to a file
    stream      learn from rows as they come, while the share of bad ones changes
    train       train a network on images of which some have wrong labels
    audit       list the images or rows whose labels look wrong, worst first
    data        get the data sets of the experiments
    devices     list the NVIDIA cards that networks can be trained on
    reproduce   run an experiment of the paper

  Options
    --help      this text, or that of a command: rlvi fit --help
    --version   the version

  Examples
    $ rlvi fit stars.csv --target log_light
    $ rlvi fit stars.csv --target log_light --rows rows.csv --save model.json
    $ rlvi predict model.json more-stars.csv
    $ rlvi audit mail.csv --target spam --exclude id --report suspects.html

`
