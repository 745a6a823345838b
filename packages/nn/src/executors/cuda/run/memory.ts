import { ALIGNMENT } from '../plan/arena.js'
import { bytesOf } from '../plan/layout.js'
import type { Plan } from '../plan/plan.js'
import type { Slot } from '../plan/slots.js'
import type { Device } from './device.js'
import { bytesOf as asBytes, type VariablePool } from './variables.js'

/** Pieces one after the other, each on a border; those of the next member lie `bytes` further on. */
export interface Region {
  readonly address: number
  readonly bytes: number
  readonly offsets: ReadonlyMap<string, number>
}

/**
 * A program's memory on the card: one piece for everything that is made while it runs, feeds and fetches side by side. Networks
 * that are trained as one program, its members, have the same memory each, at equal distances.
 */
export interface Memory {
  readonly members: number
  /** All feeds but the images, behind room for which stored images those are made of. */
  readonly feeds: Region
  /** The images `x`, right behind the feeds of all members. */
  readonly images: Region
  readonly fetches: Region
  /** Where the first member's slot lies. */
  address(slot: Slot): number
  /** Bytes from a member's slot to the next one's. */
  apart(slot: Slot): number
  /** Copies bytes to memory that stays as long as the program. */
  keep(bytes: Uint8Array): number
  free(): void
}

/** Of a stored image: its number, and how it is moved and flipped. */
export const ROW_BYTES = 16

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

export function allocateMemory(device: Device, plan: Plan, variables: VariablePool): Memory {
  const { members } = variables
  const owned: number[] = []
  const take = (bytes: number): number => {
    const address = device.allocate(bytes)
    owned.push(address)
    return address
  }
  const free = (): void => {
    for (const address of owned.splice(0)) device.free(address)
  }
  const region = (slots: Iterable<readonly [string, Slot]>, lead = 0): Omit<Region, 'address'> => {
    const offsets = new Map<string, number>()
    let bytes = aligned(lead)
    for (const [name, { layout }] of slots) {
      offsets.set(name, bytes)
      bytes += aligned(bytesOf(layout))
    }
    return { bytes, offsets }
  }
  const keep = (bytes: Uint8Array): number => {
    const address = take(bytes.length)
    if (bytes.length > 0) device.driver.cuMemcpyHtoD_v2(address, bytes, bytes.length)
    return address
  }
  try {
    const rows = plan.feeds.get('x')?.layout.shape[0] ?? 0
    const isImage = (name: string): boolean => name === 'x'
    const small = region(
      [...plan.feeds].filter(([name]) => !isImage(name)),
      ROW_BYTES * rows,
    )
    const large = region([...plan.feeds].filter(([name]) => isImage(name)))
    const given = take(members * (small.bytes + large.bytes))
    const feeds = { ...small, address: given }
    const images = { ...large, address: given + members * small.bytes }
    const results = region(plan.fetches)
    const fetches = { ...results, address: take(members * results.bytes) }
    const arenaBytes = aligned(plan.arena.bytes)
    const arena = take(members * arenaBytes)
    const fixed = new Map<number, number>()
    for (const slot of plan.slots) {
      const { home, layout } = slot
      if (home.kind === 'zeros') fixed.set(slot.id, keep(new Uint8Array(members * aligned(bytesOf(layout)))))
      if (home.kind === 'constant') fixed.set(slot.id, keep(asBytes(Float32Array.from(home.values))))
    }
    const feedRegion = (name: string): Region => (isImage(name) ? images : feeds)
    return {
      members,
      feeds,
      images,
      fetches,
      keep,
      free,
      address(slot) {
        const { home, id } = slot
        switch (home.kind) {
          case 'arena':
            return arena + (plan.arena.offsets.get(id) ?? 0)
          case 'feed':
            return feedRegion(home.name).address + feedRegion(home.name).offsets.get(home.name)!
          case 'fetch':
            return fetches.address + fetches.offsets.get(home.name)!
          case 'variable':
            return variables.address(home.name)
          case 'constant':
          case 'zeros':
            return fixed.get(id)!
        }
      },
      apart({ home, layout }) {
        switch (home.kind) {
          case 'arena':
            return arenaBytes
          case 'feed':
            return feedRegion(home.name).bytes
          case 'fetch':
            return fetches.bytes
          case 'variable':
            return variables.apart(home.name)
          case 'zeros':
            return aligned(bytesOf(layout))
          case 'constant':
            return 0
        }
      },
    }
  } catch (error) {
    free()
    throw error
  }
}
