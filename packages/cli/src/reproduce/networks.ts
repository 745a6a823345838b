import { type NetworkExperiment, runNetworkExperiment, selectCells } from '@rlvi/paper'
import { RlviError } from 'rlvi'
import type { Io } from '../terminal/io.js'
import { printable, printableJson } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import { UsageError, wholeNumber } from '../terminal/usage.js'
import { executorOf } from '../train/learn.js'
import type { ReproduceFlags } from './command.js'
import { commandOf } from './provenance.js'

/** The experiments with networks: results are kept cell by cell. */
export async function reproduceNetworks(
  experiment: NetworkExperiment,
  flags: ReproduceFlags,
  io: Io,
): Promise<void> {
  const count = (flag: string, text: string | undefined, least: number): number | undefined =>
    text === undefined ? undefined : wholeNumber(flag, text, least)
  const [threads, runs, epochs, limit] = [
    count('--threads', flags.threads, 1),
    count('--runs', flags.runs, 1),
    count('--epochs', flags.epochs, 1),
    count('--limit', flags.limit, 10),
  ]
  const selection = {
    full: flags.full ?? false,
    only: flags.only ?? [],
    ...(runs === undefined ? {} : { runs }),
    ...(epochs === undefined ? {} : { epochs }),
    ...(limit === undefined ? {} : { limit }),
    seed: wholeNumber('--seed', flags.seed ?? '0', 0),
  }
  checkSelection(experiment, selection)
  const bar = progressBar(experiment.name)
  try {
    let done = 0
    const failed: string[] = []
    const total = selectCells(experiment, selection).length
    const { records, text, page } = await runNetworkExperiment(experiment, {
      ...selection,
      ...(flags.out === undefined ? {} : { out: flags.out }),
      ...(flags.data === undefined ? {} : { data: flags.data }),
      ...(flags.weights === undefined ? {} : { weights: flags.weights }),
      executor: executorOf('onnx', threads),
      command: commandOf(experiment.name, flags),
      onCell: ({ noise, rate, method, seed }, number, all, cached) => {
        bar.hide()
        done = number - 1
        const what = `${noise} ${Math.round(100 * rate)} %, ${method}, seed ${seed}`
        io.remark(`${number} of ${all}: ${what}${cached ? ' (there already)' : ''}`)
      },
      onProgress: (share, { method }) => bar.update((done + share) / total, method),
      onFailure: ({ method, noise }, error) => {
        bar.hide()
        failed.push(`${method} on ${noise}`)
        io.remark(`no result: ${error.message}`)
      },
    })
    bar.hide()
    const shown = text.trimEnd().split('\n').map(printable).join('\n')
    await io.out(flags.json === true ? printableJson(records) : `${shown}\n`)
    if (page !== undefined) io.remark(`figures: ${page}`)
    if (failed.length > 0)
      throw new RlviError('rlvi reproduce', `all ${total} runs should end in numbers`, failed.join(', '))
  } finally {
    bar.hide()
  }
}

/** A selection that cannot be meant is a matter of the command line. */
function checkSelection(experiment: NetworkExperiment, selection: Parameters<typeof selectCells>[1]): void {
  try {
    selectCells(experiment, selection)
  } catch (error) {
    if (error instanceof RlviError) throw new UsageError('--only', error.rule, error.got)
    throw error
  }
}
