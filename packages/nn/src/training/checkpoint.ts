import { RlviError } from 'rlvi'
import type { Program } from '../executors/executor.js'
import { type Graph, sizeOf } from '../graph/graph.js'
import type { Model } from '../models/model.js'
import { readSafetensors, type StoredTensor, writeSafetensors } from '../models/safetensors.js'
import type { TrainingData } from './data.js'
import type { Method } from './method.js'
import type { TrainingState } from './state.js'

/**
 * Where checkpoints are kept: usually a file. `write` must replace the old one in one step, so that a process that is
 * killed leaves either of the two, and must leave the old one where it fails.
 */
export interface CheckpointStore {
  /** The latest checkpoint, if there is one. */
  read(): Promise<Uint8Array | undefined>
  /** Its place, for messages. */
  readonly path?: string
  write(bytes: Uint8Array): Promise<void>
}

/** What a training must have in common with its checkpoint, by name. */
export type Identity = Readonly<Record<string, string | number>>

export async function identify(training: {
  readonly model: Model
  readonly method: Method
  readonly data: TrainingData
  readonly seed: number
  readonly graph: Graph
}): Promise<Identity> {
  const { model, method, data, seed, graph } = training
  return {
    model: model.name,
    images: model.image.join(' x '),
    classes: model.classes,
    method: method.name,
    'settings of the method': JSON.stringify(method.options),
    seed,
    'batch size': data.batch,
    'number of samples': data.samples,
    ...(data.fingerprint === undefined ? {} : { 'samples to learn from': await data.fingerprint() }),
    'training labels': await digest(new Uint8Array(Int32Array.from(data.labels).buffer)),
    'training step (model, optimizer and version of this program)': await digest(
      new TextEncoder().encode(JSON.stringify(graph)),
    ),
  }
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The version of what the file holds. 1, which had no number, kept the weights as `pi` and the variables as `resident/`.
 */
const FORMAT = 2
const KEY = 'rlvi.checkpoint'
const DIGEST = 'rlvi.sha256'
const NO_DIGEST = '0'.repeat(64)
const VARIABLE = 'variable/'
const METHOD = 'method/'
type Numbers = Omit<TrainingState, 'losses' | 'clean' | 'kept' | 'level' | 'interval' | 'arrays'> & {
  readonly level?: number
  readonly interval?: readonly [number, number]
}

export interface Checkpoint {
  readonly identity: Identity
  readonly numbers: Numbers
  readonly tensors: ReadonlyMap<string, StoredTensor>
}

/** Everything in one safetensors file: the variables, the samples' arrays, the rest as JSON; and the file's checksum. */
export async function writeCheckpoint(training: {
  readonly identity: Identity
  readonly state: TrainingState
  readonly program: Program
}): Promise<Uint8Array> {
  const { identity, state, program } = training
  const { losses, clean, kept, arrays, ...numbers } = state
  const shape = [losses.length]
  const tensors = new Map<string, StoredTensor>([
    ['losses', { shape, values: losses }],
    ['clean', { shape, values: clean }],
    ['kept', { shape, values: Int32Array.from(kept) }],
  ])
  for (const [name, values] of Object.entries(arrays))
    tensors.set(METHOD + name, { shape: [values.length], values })
  for (const { name, tensor, role } of program.graph.variables) {
    if (role === 'data') continue
    const values = await program.variables.read(name)
    // A step may spoil the parameters after its own loss was still fine.
    const bad = values.findIndex((value) => !Number.isFinite(value))
    if (bad >= 0) {
      const todo = `after epoch ${state.epoch}: try a lower learning rate; the checkpoint before is kept`
      throw new RlviError(name, 'must hold finite numbers', values[bad], todo)
    }
    tensors.set(VARIABLE + name, { shape: program.graph.tensors[tensor].shape, values })
  }
  const metadata = { [KEY]: JSON.stringify({ format: FORMAT, identity, numbers }), [DIGEST]: NO_DIGEST }
  const bytes = writeSafetensors(tensors, metadata) as Uint8Array<ArrayBuffer>
  bytes.set(new TextEncoder().encode(await digest(bytes)), digestPlace(bytes))
  return bytes
}

/** Where in the file the checksum stands, which is taken with zeros in its place. */
function digestPlace(bytes: Uint8Array): number {
  const marker = `"${DIGEST}":"`
  const header = new TextDecoder('latin1').decode(bytes.subarray(0, 8 + headerLength(bytes)))
  const at = header.indexOf(marker)
  if (at < 0) throw notACheckpoint('no checksum')
  return at + marker.length
}

function headerLength(bytes: Uint8Array): number {
  return bytes.length < 8 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
}

function notACheckpoint(got: string): RlviError {
  return new RlviError('checkpoint', 'must be a whole file that a training has written', got, 'start anew')
}

export async function readCheckpoint(file: Uint8Array): Promise<Checkpoint> {
  const bytes = Uint8Array.from(file)
  const place = digestPlace(bytes)
  const found = new TextDecoder('latin1').decode(bytes.subarray(place, place + 64))
  bytes.set(new TextEncoder().encode(NO_DIGEST), place)
  if ((await digest(bytes)) !== found) throw notACheckpoint('another checksum')
  const { tensors, metadata } = readSafetensors(bytes, 'checkpoint')
  const { format = 1, identity, numbers } = JSON.parse(metadata[KEY])
  if (format !== FORMAT) {
    const todo = 'it is of another version of this program: start anew, or go on with that version'
    throw new RlviError('checkpoint', `must have format ${FORMAT}`, format, todo)
  }
  return { identity, numbers, tensors }
}

/** Takes a training to where its checkpoint was written, if it is the same training. */
export async function restore(
  { identity: theirs, numbers, tensors }: Checkpoint,
  training: {
    readonly identity: Identity
    readonly state: TrainingState
    readonly program: Program
    ratesOf(epoch: number): Readonly<Record<string, number>>
  },
): Promise<void> {
  const { identity, state, program, ratesOf } = training
  const todo = 'give another file, or start anew'
  for (const [name, mine] of Object.entries(identity)) {
    if (theirs[name] !== mine) {
      throw new RlviError('checkpoint', `must have the same ${name}, ${mine}`, theirs[name] ?? 'none', todo)
    }
  }
  for (const { epoch, rates } of numbers.history) {
    const now = JSON.stringify(ratesOf(epoch))
    if (JSON.stringify(rates) !== now) {
      const rule = `epoch ${epoch} must have had the same learning rate, ${now}`
      throw new RlviError('checkpoint', rule, JSON.stringify(rates), todo)
    }
  }
  const get = (name: string, length: number): Exclude<StoredTensor['values'], BigInt64Array> => {
    const values = tensors.get(name)?.values
    if (values === undefined || values instanceof BigInt64Array || values.length !== length) {
      throw notACheckpoint(`${values?.length ?? 'no'} values of ${name}`)
    }
    return values
  }
  for (const { name, tensor, role } of program.graph.variables) {
    if (role === 'data') continue
    const values = get(VARIABLE + name, sizeOf(program.graph.tensors[tensor].shape))
    await program.variables.write(name, values)
  }
  state.losses.set(get('losses', state.losses.length))
  state.clean.set(get('clean', state.clean.length))
  state.kept.set(get('kept', state.kept.length))
  for (const [name, values] of Object.entries(state.arrays)) values.set(get(METHOD + name, values.length))
  Object.assign(state, { level: undefined, interval: undefined, ...numbers })
}
