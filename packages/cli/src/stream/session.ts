import type { SavedModel } from '@rlvi/estimator'
import type { Io } from '../terminal/io.js'
import type { Batch } from './input/batch.js'
import { BrokenRow, type BrokenRows, brokenRows } from './input/broken-rows.js'
import { type PipeBuffer, pipeBuffer } from './input/pipe-buffer.js'
import { type Reader, reader } from './input/reader.js'
import { type Piece, sourceName } from './input/sources.js'
import { type Learner, learner } from './learner.js'
import type { StreamOptions } from './options.js'
import { type Lines, lines } from './output/lines.js'
import { type Output, openOutput } from './output/output.js'
import { savedModel } from './output/saved-model.js'
import { beginning, type Checkpoint, checkpointText, type Plan, type Position } from './state/checkpoint.js'
import { type CheckpointTimer, checkpointTimer } from './state/checkpoint-timer.js'
import { guarded } from './state/guard.js'
import { loadCheckpoint } from './state/load.js'

/** What a session needs of the world around it. */
export interface Surroundings {
  readonly io: Io
  /** Whether the bytes come by a pipe: those that are not learned yet are then kept in the state. */
  readonly pipe: boolean
  /** Replaces the file of the state. */
  save(path: string, text: string): void
  /** Called when a checkpoint could not be written while rows paused: no more rows should come. */
  interrupt(): void
}

/**
 * One run over a stream of rows: bytes in, lines out, and the state in its file. Whoever reads the bytes feeds them in
 * order, flushes at their end, and closes.
 */
export class StreamSession {
  /** The checkpoint that it goes on from. */
  readonly resumed: Checkpoint | undefined
  readonly #options: StreamOptions
  readonly #around: Surroundings
  readonly #reader: Reader
  readonly #learner: Learner
  readonly #output: Output
  readonly #broken: BrokenRows
  readonly #unlearned: PipeBuffer
  readonly #timer: CheckpointTimer
  readonly #replaceState: ((text: string) => void) | undefined
  #toLines: Lines | undefined
  /** Lines that have not been written yet. */
  #text = ''
  /** Whether the state's file is there. */
  #begun: boolean
  #failure: { readonly error: unknown } | undefined

  constructor(options: StreamOptions, around: Surroundings) {
    const { choices, inputs, state } = options
    const { io, save } = around
    this.#options = options
    this.#around = around
    this.#replaceState = state === undefined ? undefined : guarded(state, save)
    this.resumed = state === undefined ? undefined : loadCheckpoint(state, choices)
    this.#begun = this.resumed !== undefined
    this.#output = openOutput(options.out, io, this.resumed?.out)
    this.#learner = learner(choices, this.resumed?.learned?.state)
    this.#broken = brokenRows(io, options.strict)
    this.#reader = reader(choices, this.resumed, {
      name: (source) => sourceName(inputs, source),
      broken: this.#broken.report,
      learn: (plan, batch) => this.#learn(plan, batch),
    })
    this.#unlearned = pipeBuffer((this.resumed?.position ?? beginning).bytes)
    const write = (): void => this.#replaceState?.(checkpointText(this.#snapshot()))
    this.#timer = checkpointTimer(options.every, state === undefined ? undefined : write, (error) => {
      this.#failure = { error }
      around.interrupt()
    })
  }

  /** How far the input has been learned. */
  get position(): Position {
    return this.#reader.position
  }

  /** Whether a row has shown which columns there are. */
  get started(): boolean {
    return this.#reader.plan !== undefined
  }

  /** The model as `rlvi predict` reads it; undefined before the first batch. */
  get model(): SavedModel | undefined {
    const { state } = this.#learner
    return state === undefined ? undefined : savedModel(this.#options.choices, this.#reader.plan!, state)
  }

  /** Takes bytes of a source, or its end. Full batches are learned and their lines written; a checkpoint when it is due. */
  async feed({ source, bytes }: Piece): Promise<void> {
    this.#throwFailure()
    this.#timer.hold()
    if (bytes !== undefined && this.#keepsPipe) this.#unlearned.add(bytes, this.#reader.dropping)
    try {
      if (bytes === undefined) this.#reader.end(source)
      else this.#reader.take(source, bytes)
    } catch (error) {
      // What came before a row that stops a strict run is written and remembered.
      if (error instanceof BrokenRow) {
        await this.#write()
        this.checkpoint()
      }
      throw error
    }
    this.#unlearned.forget(this.position.bytes)
    await this.#write()
  }

  /** Learns the rows that wait for their batch as a last, shorter one. */
  async flush(): Promise<void> {
    this.#throwFailure()
    this.#reader.finish()
    await this.#write()
  }

  /** Writes the state now, where the run has one. */
  checkpoint(): void {
    this.#throwFailure()
    this.#timer.now()
  }

  /** Lets go of files and timers; writes nothing more. */
  close(): void {
    this.#timer.hold()
    this.#broken.end()
    this.#output.close()
  }

  get #keepsPipe(): boolean {
    return this.#around.pipe && this.#replaceState !== undefined
  }

  #learn(plan: Plan, batch: ReturnType<Batch['take']>): void {
    const result = this.#learner.learn(plan, batch)
    this.#toLines ??= lines(this.#options.choices, plan)
    this.#text += this.#toLines(result, batch)
    const { kind } = result.event
    if (kind !== 'none') this.#around.io.remark(`batch ${result.batch}: ${result.event.message}`)
  }

  async #write(): Promise<void> {
    if (this.#text === '') return
    const ready = this.#text
    this.#text = ''
    this.#begin()
    await this.#output.write(ready)
    this.#timer.changed()
  }

  /** Before the first line: after a kill, lines in a file that began before this run must be known as ours. */
  #begin(): void {
    if (!this.#begun) {
      const empty = { ...this.#snapshot(), position: beginning, learned: null, unlearned: '' }
      this.#replaceState?.(checkpointText(empty))
    }
    this.#begun = true
  }

  #snapshot(): Checkpoint {
    const { position, plan } = this.#reader
    const { state } = this.#learner
    return {
      format: 'rlvi-stream',
      version: 3,
      choices: this.#options.choices,
      position,
      learned: state === undefined ? null : { plan: plan!, state },
      out: this.#output.settle(),
      unlearned: this.#keepsPipe ? this.#unlearned.from(position.bytes).toString('base64') : '',
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
