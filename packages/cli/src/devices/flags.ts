import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'

export const devicesFlags = {
  json: flag.yes('one JSON document'),
}

/** The flags of `rlvi devices` as a command line has them. */
export type DevicesFlags = GivenOf<typeof devicesFlags>

export const devicesHelp = help`
  List the NVIDIA cards that networks can be trained on, and the libraries that this needs.

  Usage
    $ rlvi devices

  Options
${devicesFlags}

  Libraries are looked for in the folders of $RLVI_CUDA_LIBRARIES, where the system's loader looks, in the packages
  of pip, and in the usual folders. Without a card everything else works: networks are trained by the processor.

  Examples
    $ rlvi devices
    $ rlvi devices --json

`
