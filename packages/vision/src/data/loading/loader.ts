import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { StoredBatch, StoredImages } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import { needImageLibrary } from '../formats/decode.js'
import { type ImageSet, imageSize, isInMemory, type Labels, type Samples } from '../image-set.js'
import { valuesAt } from '../split.js'
import { drawAugmentation } from './augment.js'
import { type Pool, startPool } from './pool.js'
import { type PassContext, prepare, prepareBatch } from './prepare.js'
import { isFixed, lookupTable, type Transform } from './transform.js'

/** The arrays are the caller's until the next batch is asked for; then they are filled anew. */
export interface Batch {
  /** samples x channels x height x width. */
  readonly x: Float32Array
  readonly y: Int32Array
  /** Which samples of the set these are. */
  readonly indices: Int32Array
}

/** How batches are prepared. */
export interface LoaderOptions {
  readonly batch: number
  readonly seed: number
  /** Default: all cores but one, up to 4 for images in memory; 0 does all on the calling thread. */
  readonly threads?: number
  /** Batches that are prepared before they are asked for. Default 4. */
  readonly ahead?: number
}

/** One pass over some samples. */
export interface Pass {
  /** The samples, in the order to take them; see `epochOrder`. */
  readonly order: Int32Array
  readonly transform: Transform
  /** What random transforms depend on, beside seed and sample. Default 0. */
  readonly epoch?: number
  /** The batch to begin with, for a run that goes on where it was stopped. */
  readonly start?: number
  /** The labels to give; without them those of the set. */
  readonly labels?: Labels
}

/** A batch as the bytes of its set, for executors that keep images. The arrays stay as they are, so the order must, too. */
export interface StoredImageBatch {
  readonly x: StoredBatch
  readonly y: Int32Array
  readonly indices: Int32Array
}

/** Batches of a set of images, prepared ahead. */
export interface Loader {
  /** The last batch may be smaller than the others. */
  batches(pass: Pass): AsyncGenerator<Batch, void, void>
  /** The same batches as bytes; for images in memory that are not rotated, undefined for all others. */
  stored(pass: Pass): Generator<StoredImageBatch, void, void> | undefined
  close(): Promise<void>
}

const workerFile = new URL('./pool-worker.js', import.meta.url)

/**
 * Batches of a set. What is random in them depends on seed, epoch and sample alone, so they are the same for any number of
 * threads. Images in memory that are only scaled are done on the calling thread: that costs less than asking.
 *
 * @example
 * const { train, preparation } = await loadData('mnist')
 * const loader = openLoader(train, { batch: 32, seed: 1 })
 * const order = epochOrder(split(train.labels.length, 1).train, 1, 1)
 * for await (const { x, y } of loader.batches({ order, epoch: 1, transform: preparation.train })) learn(x, y)
 * await loader.close()
 */
export function openLoader(set: Samples, options: LoaderOptions): Loader {
  const { batch, seed } = options
  if (!(Number.isInteger(batch) && batch >= 1))
    throw new RlviError('batch', 'a size of at least 1 is needed', batch)
  const spare = Math.max(1, availableParallelism() - 1)
  const threads = options.threads ?? (isInMemory(set) ? Math.min(4, spare) : spare)
  let pool: Pool | undefined

  /** Threads start when a pass first needs them. Run from source (in tests), there is no file for them to load. */
  const poolFor = async (transform: Transform): Promise<Pool | undefined> => {
    if (threads === 0 || (isInMemory(set) && isFixed(transform))) return undefined
    if (!existsSync(fileURLToPath(workerFile))) return undefined
    // The image library's own code must be loaded by the main thread first.
    if (!isInMemory(set)) await needImageLibrary()
    pool ??= startPool(set, threads, workerFile)
    return pool
  }

  return {
    async *batches(pass) {
      checkPass(set, pass)
      const asked = await poolFor(pass.transform)
      const context: PassContext = { transform: pass.transform, seed, epoch: pass.epoch ?? 0 }
      const labels = pass.labels ?? set.labels
      const values =
        asked === undefined ? here(set, pass, batch, context) : ahead(set, pass, options, context, asked)
      const y = new Int32Array(batch)
      for await (const { indices, x } of values) {
        for (let k = 0; k < indices.length; k++) y[k] = labels[indices[k]!]!
        yield { x: x.subarray(0, indices.length * imageSize(set)), y: y.subarray(0, indices.length), indices }
      }
    },
    stored(pass) {
      if (!isInMemory(set) || (pass.transform.rotations ?? []).length > 0) return undefined
      checkPass(set, pass)
      return storedBatches(set, pass, batch, seed)
    },
    async close() {
      await pool?.close()
      pool = undefined
    },
  }
}

/** Which images of the set, and where their window lies: the same as `batches` draws. */
function* storedBatches(
  set: ImageSet,
  pass: Pass,
  batch: number,
  seed: number,
): Generator<StoredImageBatch, void, void> {
  const { order, start = 0, transform, epoch = 0 } = pass
  const labels = pass.labels ?? set.labels
  const padding = transform.padding ?? 0
  const images: StoredImages = {
    pixels: set.pixels,
    image: [set.channels, set.height, set.width],
    values: lookupTable(transform, set.channels),
  }
  // All are parts of one array each, which is new in every pass: small networks take thousands of batches in a second.
  const y = valuesAt(labels, order)
  const moves = isFixed(transform) ? undefined : new Int32Array(3 * order.length)
  for (let at = start * batch; at < order.length; at += batch) {
    const end = Math.min(order.length, at + batch)
    for (let k = at; moves !== undefined && k < end; k++) {
      const { left, top, horizontal, vertical } = drawAugmentation(transform, seed, epoch, order[k]!)
      moves[3 * k] = top - padding
      moves[3 * k + 1] = left - padding
      moves[3 * k + 2] = (horizontal ? 1 : 0) + (vertical ? 2 : 0)
    }
    const samples = order.subarray(at, end)
    const x = { images, samples, ...(moves === undefined ? {} : { moves: moves.subarray(3 * at, 3 * end) }) }
    yield { x, y: y.subarray(at, end), indices: samples }
  }
}

interface Values {
  readonly indices: Int32Array
  readonly x: Float32Array
}

async function* here(set: Samples, pass: Pass, batch: number, context: PassContext): AsyncGenerator<Values> {
  const x = new Float32Array(batch * imageSize(set))
  for (const indices of cut(pass, batch)) {
    if (isInMemory(set)) prepareBatch(set, indices, context, x)
    else await prepare(set, indices, context, x)
    yield { indices, x }
  }
}

async function* ahead(
  set: Samples,
  pass: Pass,
  options: LoaderOptions,
  context: PassContext,
  pool: Pool,
): AsyncGenerator<Values> {
  const spare: Float32Array[] = []
  const queue: Array<{ indices: Int32Array; values: Promise<Float32Array> }> = []
  const rest = cut(pass, options.batch)[Symbol.iterator]()
  const ask = (): void => {
    const next = rest.next()
    if (next.done === true) return
    const x = spare.pop() ?? new Float32Array(options.batch * imageSize(set))
    const values = pool.prepare(next.value, context, x)
    // Awaited in its turn; until then a failure is not unhandled.
    values.catch(() => undefined)
    queue.push({ indices: next.value, values })
  }
  try {
    for (let k = 0; k < Math.max(1, options.ahead ?? 4); k++) ask()
    for (let first = queue.shift(); first !== undefined; first = queue.shift()) {
      const x = await first.values
      ask()
      yield { indices: first.indices, x }
      spare.push(x)
    }
  } finally {
    // Who stops early leaves no thread busy with batches that nobody waits for.
    await Promise.allSettled(queue.map(({ values }) => values))
  }
}

function* cut({ order, start = 0 }: Pass, batch: number): Generator<Int32Array, void> {
  for (let at = start * batch; at < order.length; at += batch) yield order.slice(at, at + batch)
}

function checkPass(set: Samples, { order, labels }: Pass): void {
  const n = set.labels.length
  if (labels !== undefined && labels.length !== n)
    throw new RlviError('labels', `one for each of ${n} images is needed`, labels.length)
  for (const i of order)
    if (!(i >= 0 && i < n)) throw new RlviError('order', `samples below ${n} are needed`, i)
}
