import { RlviError } from 'rlvi'
import { type Graph, showShape, sizeOf } from '../../../graph/graph.js'
import type { StoredImages } from '../../executor.js'
import { out64, readPointer } from '../driver/library.js'
import type { Plan } from '../plan/plan.js'
import { imagesSource } from '../source/images.js'
import { forMembers } from '../source/kernel.js'
import { type Action, launcher } from './actions.js'
import type { Device } from './device.js'
import type { Memory } from './memory.js'
import { bytesOf } from './variables.js'

const RELAXED = 2
const NO_TIMING = 2

/** All actions as one graph that is launched by one call; what may run beside the others is a branch of it. */
export function record(
  { driver }: Device,
  plan: Plan,
  actions: readonly Action[],
  [main, side]: readonly [number, number],
  first?: Action,
): number {
  const events: number[] = []
  /** What is done on one stream so far comes before what follows on the other. */
  const order = (before: number, after: number): void => {
    const made = out64()
    driver.cuEventCreate(made, NO_TIMING)
    const event = readPointer(made)
    events.push(event)
    driver.cuEventRecord(event, before)
    driver.cuStreamWaitEvent(after, event, 0)
  }
  driver.cuStreamBeginCapture_v2(main, RELAXED)
  const place = out64()
  try {
    first?.(main)
    let [isForked, isBehind] = [false, true]
    plan.launches.forEach((launch, i) => {
      if (i === plan.join && isForked) order(side, main)
      if (!plan.beside.has(launch)) {
        actions[i](main)
        isBehind = true
        return
      }
      if (isBehind) order(main, side)
      ;[isForked, isBehind] = [true, false]
      actions[i](side)
    })
    driver.cuStreamEndCapture(main, place)
  } catch (error) {
    // The recording ends in any case; what went wrong first is what counts.
    driver.status('cuStreamEndCapture', main, place)
    throw error
  } finally {
    for (const event of events) driver.cuEventDestroy_v2(event)
  }
  const graph = readPointer(place)
  try {
    driver.cuGraphInstantiateWithFlags(place, graph, 0)
    return readPointer(place)
  } finally {
    driver.cuGraphDestroy(graph)
  }
}

/** The same graph with a kernel before it that makes `x` of stored images; recorded when first asked for. */
export function storedRecorder(
  device: Device,
  graph: Graph,
  plan: Plan,
  actions: readonly Action[],
  memory: Memory,
  streams: readonly [number, number],
  undo: (() => void)[],
): (images: StoredImages) => number {
  const recorded = new Map<Uint8Array, number>()
  const feed = graph.feeds.find(({ name }) => name === 'x')
  return (images) => {
    const known = recorded.get(images.pixels)
    if (known !== undefined) return known
    const shape = feed === undefined ? [] : graph.tensors[feed.tensor].shape
    const [n, ...image] = shape
    if (image.length !== 3 || !image.every((length, i) => length === images.image[i])) {
      throw new RlviError('feed x', `must be images ${showShape(image)}`, showShape(images.image))
    }
    const { feeds, images: x, members } = memory
    const alone = imagesSource(n, images.image)
    const text =
      members === 1
        ? alone
        : forMembers(alone, [
            ['rows', feeds.bytes / 4],
            ['x', x.bytes / 4],
          ])
    device.kernels.prepare([text])
    const addresses = [
      device.stored(images.pixels),
      memory.keep(bytesOf(images.values)),
      feeds.address,
      x.address + x.offsets.get('x')!,
    ]
    const blocks = Math.ceil(sizeOf(shape) / 256)
    const first = launcher(device, device.kernels.function(text), [blocks, 1, members], 256, addresses)
    const made = record(device, plan, actions, streams, first)
    undo.push(() => device.driver.cuGraphExecDestroy(made))
    recorded.set(images.pixels, made)
    return made
  }
}
