import { RlviError } from 'rlvi'
import { type Graph, sizeOf } from '../../../graph/graph.js'
import type { Feeds, Fetches, Program, StoredBatch, StoredImages } from '../../executor.js'
import { checkFeeds } from '../../feeds.js'
import { checkIndices } from '../../indices.js'
import { out64, readPointer } from '../driver/library.js'
import type { Device } from './device.js'
import type { Memory } from './memory.js'
import type { CudaVariables } from './variables.js'

/** Inputs and results of many steps are held ready up to this many bytes. */
const STAGED = 64 * 2 ** 20

/** Pinned memory for the inputs and results of some steps. */
interface Stage {
  readonly address: number
  readonly view: ArrayBuffer
  readonly bytes: number
}

/** Puts inputs in place, launches, and brings back what is fetched. */
export function runner(
  device: Device,
  graph: Graph,
  variables: CudaVariables,
  memory: Memory,
  stream: number,
  recorded: number,
  withImages: (images: StoredImages) => number,
  undo: (() => void)[],
  dispose: () => void,
): Program {
  const { driver, koffi } = device
  const { feeds, fetches } = memory
  let staged: Stage | undefined
  undo.push(() => staged && driver.cuMemFreeHost(staged.address))
  const stage = (bytes: number): Stage => {
    if (staged && staged.bytes >= bytes) return staged
    if (staged) driver.cuMemFreeHost(staged.address)
    const place = out64()
    driver.cuMemHostAlloc(place, Math.max(256, bytes), 0)
    const address = readPointer(place)
    staged = { address, view: koffi.view(BigInt(address), Math.max(256, bytes)), bytes }
    return staged
  }
  const put = (view: ArrayBuffer, at: number, given: Feeds): void => {
    for (const { name, tensor } of graph.feeds) {
      const { shape, dtype } = graph.tensors[tensor]
      const value = given[name]
      if (value === undefined) continue
      const place = at + feeds.offsets.get(name)!
      if (dtype === 'i32') new Int32Array(view, place, sizeOf(shape)).set(value as Int32Array)
      else new Float32Array(view, place, sizeOf(shape)).set(typeof value === 'number' ? [value] : value)
    }
  }
  const putRows = (view: ArrayBuffer, at: number, { samples, moves }: StoredBatch): void => {
    const n = samples.length
    new Int32Array(view, at, n).set(samples)
    const places = new Int32Array(view, at + 4 * n, 3 * n)
    if (moves) places.set(moves)
    else places.fill(0)
  }
  const got = (view: ArrayBuffer, at: number): Fetches =>
    Object.fromEntries(
      graph.fetches.map(({ name, tensor }) => {
        const place = at + fetches.offsets.get(name)!
        return [name, new Float32Array(view, place, sizeOf(graph.tensors[tensor].shape)).slice()]
      }),
    )
  /** Steps whose inputs have been put in place: copies, launches and copies back without a pause. */
  const runStaged = async (
    count: number,
    inputs: number,
    fill: (view: ArrayBuffer, at: number, step: number) => void,
    launch: (step: number) => number,
  ): Promise<readonly Fetches[]> => {
    const perStep = inputs + fetches.bytes
    const most = Math.max(1, Math.floor(STAGED / Math.max(1, perStep)))
    const all: Fetches[] = []
    for (let from = 0; from < count; from += most) {
      const steps = Math.min(most, count - from)
      const { address, view } = stage(perStep * steps)
      for (let i = 0; i < steps; i++) {
        fill(view, i * perStep, from + i)
        const at = address + i * perStep
        if (inputs > 0) driver.cuMemcpyHtoDAsync_v2(feeds.address, at, inputs, stream)
        driver.cuGraphLaunch(launch(from + i), stream)
        if (fetches.bytes > 0)
          driver.cuMemcpyDtoHAsync_v2(at + inputs, fetches.address, fetches.bytes, stream)
      }
      await device.wait(stream)
      for (let i = 0; i < steps; i++) all.push(got(view, i * perStep + inputs))
    }
    return all
  }
  const check = (given: Feeds): void => {
    checkFeeds(graph, given)
    checkIndices(graph, given)
  }
  const isThere = (): void => {
    for (const { name } of graph.variables) {
      if (!variables.has(name)) throw new RlviError('run', 'the variables must not be disposed of', name)
    }
  }
  const runMany = async (steps: readonly Feeds[]): Promise<readonly Fetches[]> => {
    steps.forEach(check)
    isThere()
    return runStaged(
      steps.length,
      feeds.bytes,
      (view, at, step) => put(view, at, steps[step]),
      () => recorded,
    )
  }
  /** The graph with all feeds but the images, for checking. */
  const others: Graph = { ...graph, feeds: graph.feeds.filter(({ name }) => name !== 'x') }
  return {
    graph,
    variables,
    run: async (given) => (await runMany([given]))[0],
    runMany,
    runStored: async (steps) => {
      for (const { x, feeds: given } of steps) {
        checkFeeds(others, given)
        checkIndices(others, given)
        checkStored(graph, x)
      }
      isThere()
      return runStaged(
        steps.length,
        feeds.offsets.get('x') ?? 0,
        (view, at, step) => {
          putRows(view, at, steps[step].x)
          put(view, at, steps[step].feeds)
        },
        (step) => withImages(steps[step].x.images),
      )
    },
    async dispose() {
      dispose()
    },
  }
}

/** Checks which stored images a step takes. */
function checkStored(graph: Graph, { images, samples, moves }: StoredBatch): void {
  const feed = graph.feeds.find(({ name }) => name === 'x')
  const n = feed === undefined ? 0 : graph.tensors[feed.tensor].shape[0]
  if (samples.length !== n) throw new RlviError('feed x', `must be ${n} images`, samples.length)
  if (moves && moves.length !== 3 * n) throw new RlviError('feed x', `needs ${3 * n} moves`, moves.length)
  const count = images.pixels.length / sizeOf(images.image)
  const bad = samples.find((sample) => !(sample >= 0 && sample < count))
  if (bad !== undefined) throw new RlviError('feed x', `images must be from 0 to ${count - 1}`, bad)
}
