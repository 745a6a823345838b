import { RlviError } from 'rlvi'
import { type Graph, sizeOf } from '../../../graph/graph.js'
import type { Feeds, Fetches, StoredBatch, StoredImages, StoredStep } from '../../executor.js'
import { out64, readPointer } from '../driver/library.js'
import type { Device } from './device.js'
import type { Memory } from './memory.js'

/** Inputs and results of many steps are held ready up to this many bytes. */
const STAGED = 64 * 2 ** 20

/** Pinned memory for the inputs and results of some steps. */
interface Stage {
  readonly address: number
  readonly view: ArrayBuffer
  readonly bytes: number
}

/** A row of steps for each member, all of the same length; and a row of results. */
export interface Runner {
  runMany(steps: readonly (readonly Feeds[])[]): Promise<readonly (readonly Fetches[])[]>
  runStored(steps: readonly (readonly StoredStep[])[]): Promise<readonly (readonly Fetches[])[]>
}

/** Puts inputs in place, launches, and brings back what is fetched. The steps have been checked. */
export function runner(
  device: Device,
  graph: Graph,
  memory: Memory,
  stream: number,
  recorded: number,
  withImages: (images: StoredImages) => number,
  undo: (() => void)[],
): Runner {
  const { driver, koffi } = device
  const { feeds, images, fetches, members } = memory
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
  const put = (view: ArrayBuffer, at: number, member: number, given: Feeds): void => {
    for (const { name, tensor } of graph.feeds) {
      const { shape, dtype } = graph.tensors[tensor]
      const value = given[name]
      if (value === undefined) continue
      const region = images.offsets.has(name) ? images : feeds
      const place = at + region.address - feeds.address + member * region.bytes + region.offsets.get(name)!
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
  const parts = graph.fetches.map(({ name, tensor }) => ({
    name,
    offset: fetches.offsets.get(name)!,
    length: sizeOf(graph.tensors[tensor].shape),
  }))
  const got = (results: ArrayBuffer, at: number): Fetches => {
    const own: Record<string, Float32Array> = {}
    for (const { name, offset, length } of parts) own[name] = new Float32Array(results, at + offset, length)
    return own
  }
  /** Steps whose inputs have been put in place: copies, launches and copies back without a pause. */
  const runStaged = async (
    count: number,
    inputs: number,
    fill: (view: ArrayBuffer, at: number, step: number, member: number) => void,
    launch: (step: number) => number,
  ): Promise<readonly (readonly Fetches[])[]> => {
    const results = members * fetches.bytes
    const perStep = inputs + results
    const most = Math.max(1, Math.floor(STAGED / Math.max(1, perStep)))
    const all = Array.from({ length: members }, (): Fetches[] => [])
    for (let from = 0; from < count; from += most) {
      const steps = Math.min(most, count - from)
      const { address, view } = stage(perStep * steps)
      // The results lie behind the inputs, so that one copy takes them all: an array of its own for each costs more than a step.
      const behind = steps * inputs
      for (let i = 0; i < steps; i++) {
        for (let member = 0; member < members; member++) fill(view, i * inputs, from + i, member)
        if (inputs > 0) driver.cuMemcpyHtoDAsync_v2(feeds.address, address + i * inputs, inputs, stream)
        driver.cuGraphLaunch(launch(from + i), stream)
        const place = address + behind + i * results
        if (results > 0) driver.cuMemcpyDtoHAsync_v2(place, fetches.address, results, stream)
      }
      await device.wait(stream)
      const copy = view.slice(behind, behind + steps * results)
      for (let i = 0; i < steps; i++)
        all.forEach((own, member) => {
          own.push(got(copy, i * results + member * fetches.bytes))
        })
    }
    return all
  }
  return {
    runMany: async (steps) =>
      runStaged(
        steps[0].length,
        members * (feeds.bytes + images.bytes),
        (view, at, step, member) => put(view, at, member, steps[member][step]),
        () => recorded,
      ),
    runStored: async (steps) =>
      runStaged(
        steps[0].length,
        members * feeds.bytes,
        (view, at, step, member) => {
          const { x, feeds: given } = steps[member][step]
          putRows(view, at + member * feeds.bytes, x)
          put(view, at, member, given)
        },
        (step) => withImages(steps[0][step].x.images),
      ),
  }
}

/** Checks which stored images a step takes. */
export function checkStored(graph: Graph, { images, samples, moves }: StoredBatch): void {
  const feed = graph.feeds.find(({ name }) => name === 'x')
  const n = feed === undefined ? 0 : graph.tensors[feed.tensor].shape[0]
  if (samples.length !== n) throw new RlviError('feed x', `must be ${n} images`, samples.length)
  if (moves && moves.length !== 3 * n) throw new RlviError('feed x', `needs ${3 * n} moves`, moves.length)
  const count = images.pixels.length / sizeOf(images.image)
  const bad = samples.find((sample) => !(sample >= 0 && sample < count))
  if (bad !== undefined) throw new RlviError('feed x', `images must be from 0 to ${count - 1}`, bad)
}
