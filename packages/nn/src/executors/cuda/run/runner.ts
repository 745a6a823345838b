import { RlviError } from 'rlvi'
import { type Graph, sizeOf } from '../../../graph/graph.js'
import type { Feeds, Fetches, StoredBatch, StoredImages, StoredStep } from '../../executor.js'
import { out64, readPointer } from '../driver/library.js'
import type { Device } from './device.js'
import type { Memory } from './memory.js'

/** Inputs and results of many steps are held ready up to this many bytes. */
const STAGED = 64 * 2 ** 20

/** Pinned memory for the inputs and results of some steps, and the mark behind them in the stream. */
interface Stage {
  readonly address: number
  readonly view: ArrayBuffer
  readonly floats: Float32Array
  readonly whole: Int32Array
  readonly bytes: number
  readonly mark: number
}

/**
 * A row of steps for each member, all of the same length; and a row of results. The next call may be made while one is under way: its
 * inputs are put in place and its launches asked for at once, so that the card need not wait for the host between them.
 */
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
  const stages = new Set<Stage>()
  /** Those that no call uses. */
  const spare: Stage[] = []
  const giveBack = (stage: Stage): void => {
    stages.delete(stage)
    driver.cuMemFreeHost(stage.address)
    driver.cuEventDestroy_v2(stage.mark)
  }
  undo.push(() => stages.forEach(giveBack))
  const takeStage = (bytes: number): Stage => {
    const known = spare.pop()
    if (known && known.bytes >= bytes) return known
    if (known) giveBack(known)
    const place = out64()
    const room = Math.max(256, bytes)
    driver.cuMemHostAlloc(place, room, 0)
    const address = readPointer(place)
    const view = koffi.view(BigInt(address), room)
    const [floats, whole] = [new Float32Array(view), new Int32Array(view)]
    const made = { address, view, floats, whole, bytes: room, mark: device.makeMark() }
    stages.add(made)
    return made
  }
  /** Where a feed of the first member lies among those of a step, in words, and how far it is to the next member's. */
  const places = graph.feeds.map(({ name, tensor }) => {
    const region = images.offsets.has(name) ? images : feeds
    const at = (region.address - feeds.address + region.offsets.get(name)!) / 4
    return { name, at, apart: region.bytes / 4, isWhole: graph.tensors[tensor].dtype === 'i32' }
  })
  const put = ({ floats, whole }: Stage, at: number, member: number, given: Feeds): void => {
    for (const { name, at: place, apart, isWhole } of places) {
      const value = given[name]
      if (value === undefined) continue
      const start = at / 4 + place + member * apart
      const into = isWhole ? whole : floats
      if (typeof value === 'number') into[start] = value
      else into.set(value, start)
    }
  }
  const putRows = ({ whole }: Stage, at: number, { samples, moves }: StoredBatch): void => {
    const start = at / 4
    const n = samples.length
    whole.set(samples, start)
    if (moves) whole.set(moves, start + n)
    else whole.fill(0, start + n, start + 4 * n)
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
  const results = members * fetches.bytes
  /** Steps whose inputs are put in place: copies, launches and copies back without a pause. */
  const runStaged = async (
    steps: number,
    inputs: number,
    fill: (into: Stage, at: number, step: number, member: number) => void,
    launch: (step: number) => number,
  ): Promise<readonly (readonly Fetches[])[]> => {
    const stage = takeStage(steps * (inputs + results))
    const { address, view, mark } = stage
    // The results lie behind the inputs, so that one copy takes them all: an array of its own for each costs more than a step.
    const behind = steps * inputs
    for (let i = 0; i < steps; i++) {
      for (let member = 0; member < members; member++) fill(stage, i * inputs, i, member)
      if (inputs > 0) driver.cuMemcpyHtoDAsync_v2(feeds.address, address + i * inputs, inputs, stream)
      driver.cuGraphLaunch(launch(i), stream)
      const place = address + behind + i * results
      if (results > 0) driver.cuMemcpyDtoHAsync_v2(place, fetches.address, results, stream)
    }
    driver.cuEventRecord(mark, stream)
    await device.wait(mark)
    const copy = view.slice(behind, behind + steps * results)
    spare.push(stage)
    return Array.from({ length: members }, (_, member) =>
      Array.from({ length: steps }, (_, i) => got(copy, i * results + member * fetches.bytes)),
    )
  }
  /** The end of a call whose inputs do not fit all at once: its steps come before the next call's. */
  let long: Promise<unknown> | undefined
  /** Calls in turn, each in parts that are held ready. */
  const inTurn = async (
    count: number,
    inputs: number,
    run: (from: number, steps: number) => Promise<readonly (readonly Fetches[])[]>,
  ): Promise<readonly (readonly Fetches[])[]> => {
    while (long) await long
    const most = Math.max(1, Math.floor(STAGED / Math.max(1, inputs + results)))
    if (count <= most) return run(0, count)
    const all = Array.from({ length: members }, (): Fetches[] => [])
    const whole = (async () => {
      for (let from = 0; from < count; from += most) {
        const part = await run(from, Math.min(most, count - from))
        for (const [member, own] of all.entries()) own.push(...part[member])
      }
    })()
    const ended = (): void => {
      long = undefined
    }
    long = whole.then(ended, ended)
    await whole
    return all
  }
  return {
    runMany: (steps) => {
      const inputs = members * (feeds.bytes + images.bytes)
      return inTurn(steps[0].length, inputs, (from, count) =>
        runStaged(
          count,
          inputs,
          (stage, at, step, member) => put(stage, at, member, steps[member][from + step]),
          () => recorded,
        ),
      )
    },
    runStored: (steps) => {
      const inputs = members * feeds.bytes
      return inTurn(steps[0].length, inputs, (from, count) =>
        runStaged(
          count,
          inputs,
          (stage, at, step, member) => {
            const { x, feeds: given } = steps[member][from + step]
            putRows(stage, at + member * feeds.bytes, x)
            put(stage, at, member, given)
          },
          (step) => withImages(steps[0][from + step].x.images),
        ),
      )
    },
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
