import { describe, expect, it } from 'vitest'
import { weightedStep } from '../../../models/graphs.js'
import { sgd } from '../../../optim/sgd.js'
import { miniResNet } from '../../../testing/mini-resnet.js'
import type { Device } from './device.js'
import { compileProgram } from './program.js'
import { CudaVariables } from './variables.js'

/** What was made and not yet freed, by kind. */
interface Held {
  readonly all: Map<string, Set<number>>
  make(kind: string): number
  free(kind: string, handle: number): void
}

function held(): Held {
  const all = new Map<string, Set<number>>()
  let last = 4096
  return {
    all,
    make(kind) {
      last += 4096
      all.set(kind, (all.get(kind) ?? new Set()).add(last))
      return last
    },
    free(kind, handle) {
      expect(all.get(kind)?.delete(handle), `${kind} ${handle} is freed once`).toBe(true)
    },
  }
}

/** A card that does nothing: it only keeps account of what it is asked to make and to free. */
function idleDevice(things: Held, fails: (call: string) => boolean = () => false): Device {
  const host = new Map<number, ArrayBuffer>()
  const put = (place: Uint8Array, handle: number): void => {
    Buffer.from(place.buffer, place.byteOffset).writeBigUInt64LE(BigInt(handle))
  }
  const own: Record<string, (...given: never[]) => void> = {
    cuEventCreate: (place: Uint8Array) => put(place, things.make('event')),
    cuEventDestroy_v2: (event: number) => things.free('event', event),
    cuStreamDestroy_v2: (stream: number) => things.free('stream', stream),
    cuStreamEndCapture: (_: number, place: Uint8Array) => put(place, things.make('graph')),
    cuGraphDestroy: (graph: number) => things.free('graph', graph),
    cuGraphInstantiateWithFlags: (place: Uint8Array) => put(place, things.make('ready graph')),
    cuGraphExecDestroy: (graph: number) => things.free('ready graph', graph),
    cuMemHostAlloc: (place: Uint8Array, bytes: number) => {
      const address = things.make('pinned memory')
      host.set(address, new ArrayBuffer(bytes))
      put(place, address)
    },
    cuMemFreeHost: (address: number) => things.free('pinned memory', address),
    status: () => 0 as never,
  }
  const driver = new Proxy(own, {
    get:
      (_, name: string) =>
      (...given: never[]) => {
        if (fails(name)) throw new Error(`${name} failed`)
        return own[name]?.(...given)
      },
  })
  // No algorithm of a library fits: the plain kernels are taken.
  const blas = new Proxy(
    {},
    {
      get: (_, name: string) => (place: Uint8Array | number) => {
        if (name.endsWith('Create')) put(place as Uint8Array, things.make('cuBLASLt descriptor'))
        if (name.endsWith('Destroy')) things.free('cuBLASLt descriptor', place as number)
      },
    },
  )
  const dnn = new Proxy(
    {},
    {
      get: (_, name: string) => (kind: number, place: Uint8Array) => {
        if (name === 'cudnnBackendCreateDescriptor') put(place, things.make('cuDNN descriptor'))
        else if (name === 'cudnnBackendDestroyDescriptor') things.free('cuDNN descriptor', kind)
        else throw new Error('not supported')
      },
    },
  )
  const allocate = (): number => {
    if (fails('allocate')) throw new Error('allocate failed')
    return things.make('memory')
  }
  return {
    koffi: { address: () => 64n, view: (address: bigint) => host.get(Number(address)) },
    driver,
    blas,
    dnn,
    blasHandle: 1,
    dnnHandle: 2,
    architecture: 'sm_90',
    options: { precision: 'bf16', deterministic: true, libraries: [] },
    kernels: { prepare: () => undefined, function: () => 3, table: () => 4 },
    cache: { choices: new Map(), saveChoices: () => undefined },
    stored: () => 5,
    allocate,
    free: (address: number) => things.free('memory', address),
    makeStream: () => things.make('stream'),
    wait: async () => undefined,
    time: () => 1,
    elapsed: () => 1,
  } as unknown as Device
}

const graph = weightedStep(miniResNet(), { batch: 3, optimizer: sgd({ momentum: 0.9 }) })
const feeds = { x: new Float32Array(3 * 432), y: new Int32Array(3), w: new Float32Array(3), rate: 0.1 }
const left = ({ all }: Held): string[] => [...all].filter(([, some]) => some.size > 0).map(([kind]) => kind)

describe('a program', () => {
  it('frees all that it took, after runs on values and on stored images', async () => {
    const things = held()
    const device = idleDevice(things)
    const variables = new CudaVariables()
    variables.declare(graph, device)
    const program = compileProgram(device, graph, variables)
    const { x, ...others } = feeds
    expect((await program.runMany([feeds, feeds])).map(({ losses }) => losses.length)).toEqual([3, 3])
    const images = { pixels: new Uint8Array(432), image: [3, 12, 12] as const, values: new Float32Array(768) }
    const stored = { x: { images, samples: new Int32Array(3) }, feeds: others }
    expect((await program.runStored!([stored])).length).toBe(1)
    await expect(
      program.runStored!([{ ...stored, x: { images, samples: new Int32Array([0, 1, 0]) } }]),
    ).rejects.toThrow('feed x: images must be from 0 to 0, got 1')
    expect(x.length).toBe(1296)
    await program.dispose()
    await variables.dispose()
    expect(left(things)).toEqual([])
  })

  it('frees all that it took when compiling fails half way', () => {
    for (const call of ['cuGraphInstantiateWithFlags', 'cuLaunchKernel', 'cuMemcpyHtoD_v2']) {
      const things = held()
      const variables = new CudaVariables()
      variables.declare(graph, idleDevice(things))
      const before = things.all.get('memory')?.size
      const failing = idleDevice(things, (name) => name === call)
      expect(() => compileProgram(failing, graph, variables)).toThrow(`${call} failed`)
      expect(things.all.get('memory')?.size).toBe(before)
      expect(left(things).filter((kind) => kind !== 'memory')).toEqual([])
    }
  })
})
