import type { Layout } from './layout.js'

/** Where a piece of device memory comes from. */
export type Home =
  /** Shared by pieces that are not alive at the same time. */
  | { readonly kind: 'arena' }
  | { readonly kind: 'feed'; readonly name: string }
  | { readonly kind: 'fetch'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** Fixed numbers, copied once. */
  | { readonly kind: 'constant'; readonly values: readonly number[] }
  /** The program's own, all zeros at first. */
  | { readonly kind: 'zeros' }

/** A piece of device memory with what lies in it. */
export interface Slot {
  readonly id: number
  readonly layout: Layout
  home: Home
}
