import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'

export const dataFlags = {
  from: flag.text('PATH', 'for fetch: take the files from a folder, an archive or a file of yours'),
  json: flag.yes('one JSON document'),
}

/** The flags of `rlvi data` as a command line has them. */
export type DataFlags = GivenOf<typeof dataFlags>

export const dataHelp = help`
  Get the data sets of the experiments: fetched once, verified by checksum, kept in a cache.

  Usage
    $ rlvi data list            what there is, where it comes from, and what is fetched
    $ rlvi data fetch NAME      fetch it; prints its folder
    $ rlvi data path NAME       print its folder

  Names
    mnist   fashion-mnist   cifar10   cifar100   cifar80no   cifar10n   cifar100n   food101

  Options
${dataFlags}

  The cache is $RLVI_CACHE, or rlvi in the folder that your system has for caches. A folder of images of your own
  needs no fetching: give its path instead of a name.

  Examples
    $ rlvi data list
    $ rlvi data fetch cifar10n --from CIFAR-10_human.csv
    $ rlvi data path cifar10n

`
