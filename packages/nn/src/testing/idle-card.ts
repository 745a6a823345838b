import type { Device } from '../executors/cuda/run/device.js'

/** What was made and not yet freed, by kind. */
export interface Held {
  readonly all: Map<string, Set<number>>
  make(kind: string): number
  free(kind: string, handle: number): void
}

export function held(): Held {
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
      if (all.get(kind)?.delete(handle) !== true) throw new Error(`${kind} ${handle} must be freed once`)
    },
  }
}

/** A card that does nothing: it only keeps account of what it is asked to make and to free. */
export function idleDevice(things: Held, fails: (call: string) => boolean = () => false): Device {
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
    cache: { choice: () => undefined, choose: (_task: string, candidate: number) => candidate },
    stored: () => 5,
    allocate,
    free: (address: number) => things.free('memory', address),
    makeStream: () => things.make('stream'),
    makeMark: () => things.make('event'),
    wait: async () => undefined,
    time: () => 1,
    elapsed: () => 1,
  } as unknown as Device
}
