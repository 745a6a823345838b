import { hearSignals, writeAtomicSync } from '@rlvi/io'
import { modelText } from '../table/model-file.js'
import type { Io } from '../terminal/io.js'
import { checkFiles, lockFiles } from './files.js'
import { unlearnedPieces } from './input/replay.js'
import { pieces, readsPipe, sourceName } from './input/sources.js'
import { type StreamFlags, type StreamOptions, streamOptions } from './options.js'
import { StreamSession } from './session.js'
import type { Position } from './state/checkpoint.js'

/** What tests look at or set. */
interface Inside {
  save(path: string, text: string): void
  /** Bytes of a file to read at once. */
  readonly atOnce?: number | undefined
}

/** `rlvi stream`: reads, predicts, learns and reports until the input ends or a signal comes. */
export async function streamCommand(
  flags: StreamFlags,
  io: Io,
  { save, atOnce }: Inside = { save: writeAtomicSync },
): Promise<void> {
  const options = streamOptions(flags)
  checkFiles(options)
  const release = lockFiles(options)
  try {
    await streamAlone(options, io, { save, atOnce })
  } finally {
    release()
  }
}

/** No other run has the state or the file of lines. */
async function streamAlone(options: StreamOptions, io: Io, { save, atOnce }: Inside): Promise<void> {
  const { inputs, state } = options
  const session = new StreamSession(options, {
    io,
    pipe: readsPipe(inputs),
    save,
    interrupt: () => stop.ask(),
  })
  const stop = hearSignals()
  if (inputs.length === 0 && process.stdin.isTTY)
    io.remark('reading rows from the terminal; Ctrl-D ends them')
  try {
    const all = pieces(inputs, options.follow, stop, options.choices.encoding, atOnce)
    const name = (source: number): string => sourceName(inputs, source)
    for await (const piece of unlearnedPieces(all, session.resumed, options.continues, name)) {
      await session.feed(piece)
    }
    // After a signal the rows that wait are left to the next run; where there will be none, they are learned now.
    if (!stop.asked || (state === undefined && session.started)) await session.flush()
    session.checkpoint()
    if (options.save !== undefined && session.model !== undefined) {
      const source = inputs.length === 0 ? 'stdin' : inputs.join(', ')
      writeAtomicSync(options.save, modelText(session.model, source, undefined))
    }
  } finally {
    stop.release()
    session.close()
  }
  io.remark(summary(session.position, stop.asked && state !== undefined))
}

function summary({ rows, broken }: Position, stopped: boolean): string {
  const left = broken === 0 ? '' : `, ${broken} of them broken and left out`
  const next = stopped ? '; stopped, the same command goes on from here' : ''
  return `${rows} ${rows === 1 ? 'row' : 'rows'}${left}${next}`
}
