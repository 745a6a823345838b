import { ALIGNMENT } from '../plan/arena.js'
import { bytesOf } from '../plan/layout.js'
import type { Plan } from '../plan/plan.js'
import type { Slot } from '../plan/slots.js'
import type { Device } from './device.js'
import { bytesOf as asBytes, type CudaVariables } from './variables.js'

/** Pieces one after the other, each on a border. */
export interface Region {
  readonly address: number
  readonly bytes: number
  readonly offsets: ReadonlyMap<string, number>
}

/** A program's memory on the card: one piece for everything that is made while it runs, feeds and fetches side by side. */
export interface Memory {
  /** The largest feed comes last, behind room for which stored images it is made of. */
  readonly feeds: Region
  readonly fetches: Region
  address(slot: Slot): number
  /** Copies bytes to memory that stays as long as the program. */
  keep(bytes: Uint8Array): number
  free(): void
}

/** Of a stored image: its number, and how it is moved and flipped. */
export const ROW_BYTES = 16

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

export function allocateMemory(device: Device, plan: Plan, variables: CudaVariables): Memory {
  const owned: number[] = []
  const take = (bytes: number): number => {
    const address = device.allocate(bytes)
    owned.push(address)
    return address
  }
  const free = (): void => {
    for (const address of owned.splice(0)) device.free(address)
  }
  const region = (slots: ReadonlyMap<string, Slot>, lead = 0): Region => {
    const offsets = new Map<string, number>()
    let bytes = aligned(lead)
    const sorted = [...slots].sort(([, a], [, b]) => bytesOf(a.layout) - bytesOf(b.layout))
    for (const [name, { layout }] of sorted) {
      offsets.set(name, bytes)
      bytes += aligned(bytesOf(layout))
    }
    return { address: take(bytes), bytes, offsets }
  }
  const keep = (bytes: Uint8Array): number => {
    const address = take(bytes.length)
    if (bytes.length > 0) device.driver.cuMemcpyHtoD_v2(address, bytes, bytes.length)
    return address
  }
  try {
    const feeds = region(plan.feeds, ROW_BYTES * (plan.feeds.get('x')?.layout.shape[0] ?? 0))
    const fetches = region(plan.fetches)
    const arena = take(plan.arena.bytes)
    const fixed = new Map<number, number>()
    for (const slot of plan.slots) {
      const { home, layout } = slot
      if (home.kind === 'zeros') fixed.set(slot.id, keep(new Uint8Array(bytesOf(layout))))
      if (home.kind === 'constant') fixed.set(slot.id, keep(asBytes(Float32Array.from(home.values))))
    }
    return {
      feeds,
      fetches,
      keep,
      free,
      address(slot) {
        const { home, id } = slot
        switch (home.kind) {
          case 'arena':
            return arena + (plan.arena.offsets.get(id) ?? 0)
          case 'feed':
            return feeds.address + feeds.offsets.get(home.name)!
          case 'fetch':
            return fetches.address + fetches.offsets.get(home.name)!
          case 'variable':
            return variables.address(home.name)
          case 'constant':
          case 'zeros':
            return fixed.get(id)!
        }
      },
    }
  } catch (error) {
    free()
    throw error
  }
}
