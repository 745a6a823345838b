import cliProgress from 'cli-progress'
import type { Io } from './io.js'
import { printableJson } from './printable.js'
import { oneOf, wholeNumber } from './usage.js'

export interface ReproduceFlags {
  readonly runs?: string
  readonly out?: string
  readonly threads?: string
  readonly json?: boolean
  readonly seed?: string
}

/** `rlvi reproduce`: the lab does the work, this only asks for it. */
export async function reproduceCommand(name: string, flags: ReproduceFlags, io: Io): Promise<void> {
  // The lab is loaded here, so that `fit` starts without it.
  const { experiments, reproduce } = await import('@rlvi/lab')
  const experiment = oneOf('EXPERIMENT', name, experiments)
  const options = {
    ...(flags.runs === undefined ? {} : { runs: wholeNumber('--runs', flags.runs, 1) }),
    ...(flags.threads === undefined ? {} : { threads: wholeNumber('--threads', flags.threads, 1) }),
    ...(flags.out === undefined ? {} : { out: flags.out }),
    seed: wholeNumber('--seed', flags.seed ?? '0', 0),
    json: flags.json ?? false,
  }
  const format = `${experiment} [{bar}] {value}/{total} runs, {eta_formatted} left`
  const bar = new cliProgress.SingleBar({ format, stream: process.stderr, clearOnComplete: true })
  let begun = false
  const onProgress = (done: number, total: number): void => {
    if (process.stderr.isTTY !== true) return
    if (!begun) bar.start(total, done)
    begun = true
    bar.update(done)
  }
  try {
    const { records, text, page } = await reproduce(experiment, { ...options, onProgress })
    bar.stop()
    await io.out(options.json ? printableJson(records) : text.endsWith('\n') ? text : `${text}\n`)
    if (page !== undefined) io.remark(`figures: ${page}`)
  } finally {
    bar.stop()
  }
}
