import type { Convolution } from '../source/convolution.js'
import type { KernelCall } from '../source/kernel.js'
import type { TableKind, TableRow } from '../source/tables.js'
import type { Slot } from './slots.js'

/** out = a b + bias, each of a and b transposed first where that is said; then relu. */
export interface Product {
  readonly rows: number
  readonly columns: number
  readonly inner: number
  readonly transposeA: boolean
  readonly transposeB: boolean
  readonly relu: boolean
  readonly a: Slot
  readonly b: Slot
  readonly bias?: Slot
  readonly out: Slot
}

/** A row of a table before addresses are known: see `source/tables.ts`. */
export interface PlannedRow {
  readonly reads: readonly Slot[]
  readonly writes: readonly Slot[]
  /** The slots by their place among the addresses. */
  readonly addresses: readonly Slot[]
  /** Further addresses, which are reached through a list: Adam's scalars and results. */
  readonly lists?: readonly (readonly Slot[])[]
  readonly sizes: TableRow['sizes']
  readonly reals?: readonly number[]
}

/** One thing that the device does. They run one after the other. */
export type Launch = { readonly layer: string } & (
  | { readonly kind: 'kernel'; readonly call: KernelCall }
  | { readonly kind: 'convolution'; readonly convolution: Convolution; readonly plain: KernelCall }
  | { readonly kind: 'product'; readonly product: Product; readonly plain: KernelCall }
  | { readonly kind: 'table'; readonly table: TableKind; readonly rows: readonly PlannedRow[] }
)

/** The memory that a launch reads and writes. */
export function touched(launch: Launch): readonly Slot[] {
  switch (launch.kind) {
    case 'kernel':
      return launch.call.slots
    case 'convolution':
      return launch.plain.slots
    case 'product': {
      const { a, b, bias, out } = launch.product
      return bias ? [a, b, bias, out] : [a, b, out]
    }
    case 'table':
      return launch.rows.flatMap(({ reads, writes }) => [...reads, ...writes])
  }
}
