import type { Io } from '../terminal/io.js'
import { printable, printableJson } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import { oneOf, UsageError, wholeNumber } from '../terminal/usage.js'
import { commandOf } from './provenance.js'

export interface ReproduceFlags {
  readonly runs?: string
  /** For networks. */
  readonly full?: boolean
  readonly only?: readonly string[]
  readonly epochs?: string
  readonly limit?: string
  readonly weights?: string
  readonly out?: string
  readonly data?: string
  readonly threads?: string
  readonly json?: boolean
  readonly seed?: string
}

/** `rlvi reproduce`: `@rlvi/paper` does the work, this only asks for it. */
export async function reproduceCommand(name: string, flags: ReproduceFlags, io: Io): Promise<void> {
  // Loaded here, so that `fit` starts without it.
  const { networkExperiments, experiments, experimentsOnData, reproduce } = await import('@rlvi/paper')
  const experiment = oneOf('EXPERIMENT', name, [...experiments, ...networkExperiments.keys()])
  const network = networkExperiments.get(experiment)
  if (network !== undefined) return (await import('./networks.js')).reproduceNetworks(network, flags, io)
  for (const flag of ['full', 'only', 'epochs', 'limit', 'weights'] as const) {
    if (flags[flag] !== undefined)
      throw new UsageError(`--${flag}`, 'only for experiments with networks', experiment, 'leave it out')
  }
  if (flags.data !== undefined && !experimentsOnData.includes(experiment)) {
    throw new UsageError('--data', `only for ${experimentsOnData.join(', ')}`, experiment, 'leave it out')
  }
  const options = {
    ...(flags.runs === undefined ? {} : { runs: wholeNumber('--runs', flags.runs, 1) }),
    ...(flags.threads === undefined ? {} : { threads: wholeNumber('--threads', flags.threads, 1) }),
    ...(flags.out === undefined ? {} : { out: flags.out }),
    ...(flags.data === undefined ? {} : { data: flags.data }),
    seed: wholeNumber('--seed', flags.seed ?? '0', 0),
    json: flags.json ?? false,
  }
  const bar = progressBar(experiment)
  const onProgress = (done: number, total: number): void => bar.update(done / total, `${done}/${total} runs`)
  try {
    const { records, text, page } = await reproduce(experiment, {
      ...options,
      command: commandOf(experiment, flags),
      onProgress,
    })
    bar.hide()
    // Names of files stand in the text.
    const shown = text.trimEnd().split('\n').map(printable).join('\n')
    await io.out(options.json ? printableJson(records) : `${shown}\n`)
    if (page !== undefined) io.remark(`figures: ${page}`)
  } finally {
    bar.hide()
  }
}
