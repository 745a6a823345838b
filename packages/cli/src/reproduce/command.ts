import { networkExperiments, reproduce } from '@rlvi/paper'
import type { Io } from '../terminal/io.js'
import { printableJson } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import { alone } from '../train/checkpoint.js'
import { reproduceNetworks } from './networks.js'
import type { ReproduceOptions } from './options.js'
import { commandOf } from './provenance.js'
import { toText } from './text.js'

/** `rlvi reproduce`: the paper's package does the work, this only asks for it. */
export async function reproduceCommand(options: ReproduceOptions, io: Io): Promise<void> {
  const { experiment, networks, out } = options
  await alone(out, () =>
    networks
      ? reproduceNetworks(networkExperiments.get(experiment)!, options, io)
      : reproduceTables(options, io),
  )
}

async function reproduceTables(options: ReproduceOptions, io: Io): Promise<void> {
  const { experiment, runs, threads, out, data, seed, json } = options
  const bar = progressBar(experiment)
  try {
    const { records, text, page } = await reproduce(experiment, {
      ...(runs === undefined ? {} : { runs }),
      ...(threads === undefined ? {} : { threads }),
      ...(out === undefined ? {} : { out }),
      ...(data === undefined ? {} : { data }),
      seed,
      json,
      command: commandOf(experiment, options),
      onProgress: (done, total) => bar.update(done / total, `${done}/${total} runs`),
    })
    bar.hide()
    await io.out(json ? printableJson(records) : toText(text))
    if (page !== undefined) io.remark(`figures: ${page}`)
  } finally {
    bar.hide()
  }
}
