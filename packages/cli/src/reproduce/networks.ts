import { type NetworkExperiment, runNetworkExperiment, selectCells } from '@rlvi/paper'
import { RlviError } from 'rlvi'
import type { Io } from '../terminal/io.js'
import { printableJson } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import { UsageError } from '../terminal/usage.js'
import { ensembleOf, executorOf } from '../train/learn.js'
import type { ReproduceOptions } from './options.js'
import { commandOf } from './provenance.js'
import { toText } from './text.js'

/** The experiments with networks: results are kept cell by cell. */
export async function reproduceNetworks(
  experiment: NetworkExperiment,
  options: ReproduceOptions,
  io: Io,
): Promise<void> {
  const { full, only = [], runs, epochs, limit, seed, out, data, weights, parallel } = options
  const selection = {
    full,
    only,
    ...(runs === undefined ? {} : { runs }),
    ...(epochs === undefined ? {} : { epochs }),
    ...(limit === undefined ? {} : { limit }),
    seed,
  }
  checkSelection(experiment, selection)
  const bar = progressBar(experiment.name)
  try {
    const shares = new Map<string, number>()
    const failed: string[] = []
    const total = selectCells(experiment, selection).length
    const { records, text, page } = await runNetworkExperiment(experiment, {
      ...selection,
      ...(out === undefined ? {} : { out }),
      ...(data === undefined ? {} : { data }),
      ...(weights === undefined ? {} : { weights }),
      executor: executorOf(options),
      ...(parallel === undefined ? {} : { parallel, ...ensembleOf(options) }),
      command: commandOf(experiment.name, options),
      onCell: ({ noise, rate, method, seed }, number, all, cached) => {
        bar.hide()
        if (cached) shares.set(`${noise} ${rate} ${method} ${seed}`, 1)
        const what = `${noise} ${Math.round(100 * rate)} %, ${method}, seed ${seed}`
        io.remark(`${number} of ${all}: ${what}${cached ? ' (there already)' : ''}`)
      },
      onProgress: (share, { noise, rate, method, seed }) => {
        shares.set(`${noise} ${rate} ${method} ${seed}`, share)
        const sum = [...shares.values()].reduce((total, one) => total + one, 0)
        bar.update(sum / total, method)
      },
      onFailure: ({ method, noise }, error) => {
        bar.hide()
        failed.push(`${method} on ${noise}`)
        io.remark(`no result: ${error.message}`)
      },
    })
    bar.hide()
    await io.out(options.json ? printableJson(records) : toText(text))
    if (page !== undefined) io.remark(`figures: ${page}`)
    if (failed.length > 0)
      throw new RlviError('rlvi reproduce', `all ${total} runs should end in numbers`, failed.join(', '))
  } finally {
    bar.hide()
  }
}

/** A selection that the experiment does not have is an invalid command line. */
function checkSelection(experiment: NetworkExperiment, selection: Parameters<typeof selectCells>[1]): void {
  try {
    selectCells(experiment, selection)
  } catch (error) {
    // The library speaks of its arguments, the command of flags.
    if (error instanceof RlviError) throw new UsageError(`--${error.where}`, error.rule, error.got)
    throw error
  }
}
