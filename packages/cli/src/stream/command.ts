import { hearSignals, writeAtomicSync } from '@rlvi/io'
import type { Io } from '../terminal/io.js'
import { printableJson } from '../terminal/printable.js'
import { BrokenRow, brokenRows } from './broken.js'
import { beginning, type Checkpoint, checkpointText, loadCheckpoint, type Position } from './checkpoint.js'
import { checkFiles } from './files.js'
import { guarded } from './guard.js'
import { held } from './held.js'
import { learner } from './learner.js'
import { type Lines, lines } from './lines.js'
import { savedModel } from './model.js'
import { type StreamFlags, type StreamOptions, streamOptions } from './options.js'
import { openOutput } from './output.js'
import { reader } from './reader.js'
import { replay } from './replay.js'
import { type Piece, pieces, readsPipe, sourceName } from './sources.js'
import { timing } from './timing.js'

/** What tests look at or set. */
interface Inside {
  save(path: string, text: string): void
  /** Bytes of a file to read at once. */
  readonly atOnce?: number
}

/** `rlvi stream`: read, predict, learn, tell; remember how far. */
export async function streamCommand(
  flags: StreamFlags,
  io: Io,
  { save, atOnce }: Inside = { save: writeAtomicSync },
): Promise<void> {
  const options = streamOptions(flags)
  const { choices, inputs, state } = options
  checkFiles(options)
  const replace = state === undefined ? undefined : guarded(state, save)
  const saved = state === undefined ? undefined : loadCheckpoint(state, choices)
  const output = openOutput(options.out, io, saved?.out)
  const stop = hearSignals()
  const model = learner(choices, saved?.learned?.stream)
  let toLines: Lines | undefined
  const broken = brokenRows(io, options.strict)
  const name = (source: number): string => sourceName(inputs, source)
  let text = ''
  const rows = reader(choices, saved, {
    name,
    broken: broken.tell,
    learn(plan, batch) {
      const result = model.learn(plan, batch)
      toLines ??= lines(choices, plan)
      text += toLines(result, batch.y, batch.rows)
      if (result.event.kind !== 'none') io.remark(`batch ${result.batch}: ${result.event.message}`)
    },
  })

  // What was taken from a pipe is nowhere else.
  const keeps = state !== undefined && readsPipe(inputs)
  const kept = held((saved?.position ?? beginning).bytes)
  const checkpoint = (): Checkpoint => ({
    format: 'rlvi-stream',
    version: 1,
    choices,
    position: rows.position,
    learned: model.state === undefined ? null : { plan: rows.plan!, stream: model.state },
    out: output.settle(),
    held: keeps ? kept.from(rows.position.bytes).toString('base64') : '',
  })
  let failure: unknown
  // Before the first line: after a kill, lines in a file that began before this run must be known as ours.
  let begun = saved !== undefined
  function begin(): void {
    if (!begun) replace?.(checkpointText({ ...checkpoint(), position: beginning, learned: null, held: '' }))
    begun = true
  }
  const write = replace === undefined ? undefined : () => replace(checkpointText(checkpoint()))
  const saves = timing(options.every, write, (error) => {
    failure = error
    stop.ask()
  })
  async function tell(): Promise<void> {
    if (text === '') return
    const ready = text
    text = ''
    begin()
    await output.write(ready)
    saves.changed()
  }

  if (inputs.length === 0 && process.stdin.isTTY)
    io.remark('reading rows from the terminal; Ctrl-D ends them')
  try {
    for await (const { source, bytes } of input(
      options,
      saved,
      name,
      pieces(inputs, options.follow, stop, atOnce),
    )) {
      saves.busy()
      if (bytes !== undefined && keeps) kept.add(bytes, rows.dropping)
      if (bytes === undefined) rows.end(source)
      else rows.take(source, bytes)
      kept.forget(rows.position.bytes)
      await tell()
    }
    if (failure !== undefined) throw failure
    // Told to stop, the rows that wait are left to the next run; where there will be none, they are learned now.
    if (!stop.asked || (state === undefined && rows.plan !== undefined)) rows.finish()
    await tell()
    saves.now()
    if (options.save !== undefined && model.state !== undefined) {
      writeAtomicSync(options.save, printableJson(savedModel(choices, rows.plan!, model.state)))
    }
  } catch (error) {
    saves.busy()
    // What came before a row that stops a strict run is told and remembered.
    if (error instanceof BrokenRow) {
      await tell()
      saves.now()
    }
    throw error
  } finally {
    stop.release()
    output.close()
  }
  broken.end()
  io.remark(summary(rows.position, stop.asked && state !== undefined))
}

/** The rows that have not been learned yet. */
async function* input(
  { continues }: StreamOptions,
  saved: Checkpoint | undefined,
  name: (source: number) => string,
  all: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  if (saved === undefined) yield* all
  else if (continues) {
    if (saved.held !== '') yield { source: 0, bytes: Buffer.from(saved.held, 'base64') }
    yield* all
  } else yield* replay(all, saved.position, name)
}

function summary({ rows, broken }: Position, stopped: boolean): string {
  const left = broken === 0 ? '' : `, ${broken} of them broken and left out`
  const next = stopped ? '; stopped, the same command goes on from here' : ''
  return `${rows} ${rows === 1 ? 'row' : 'rows'}${left}${next}`
}
