import { RlviError } from 'rlvi'
import { type Graph, type Node, type Shape, showShape } from '../../../graph/graph.js'
import type { Scratch } from '../source/column-reduce.js'
import type { Program } from '../source/expressions.js'
import type { KernelCall } from '../source/kernel.js'
import { mapKernel } from '../source/map.js'
import { GraphIndex } from './graph-index.js'
import { tensorsInMemory } from './inline.js'
import type { Launch, PlannedRow } from './launch.js'
import { channelsLast, imageElement, type Layout, type Precision, rows, sameLayout } from './layout.js'
import { filterRow } from './rows.js'
import type { Home, Slot } from './slots.js'

/** A plan in the making: the launches so far, and where each tensor that was computed lies. */
export class Draft implements Program {
  readonly graph: Graph
  readonly wideFrom: number
  readonly index: GraphIndex
  /** The computed tensors that lie in memory; the others are computed where they are read. */
  readonly inMemory: ReadonlySet<number>
  readonly slots: Slot[] = []
  readonly launches: Launch[] = []
  readonly feeds: Map<string, Slot> = new Map()
  readonly variables: Map<string, Slot> = new Map()
  /** Variables whose update some kernel has written already, and the tensors that were written there. */
  readonly updated: Set<string> = new Set()
  readonly written: Set<number> = new Set()
  readonly #precision: Precision
  readonly #slotOf: Map<number, Slot> = new Map()
  readonly #raw: Map<Node, Slot> = new Map()
  readonly #operands: Map<string, Slot> = new Map()
  readonly #constants: Map<string, Slot> = new Map()
  readonly #filterRows: PlannedRow[] = []

  constructor(graph: Graph, precision: Precision, wideFrom: number) {
    this.graph = graph
    this.wideFrom = wideFrom
    this.#precision = precision
    this.inMemory = tensorsInMemory(graph)
    this.index = new GraphIndex(graph)
    for (const [kind, named, slots] of [
      ['feed', graph.feeds, this.feeds],
      ['variable', graph.variables, this.variables],
    ] as const) {
      for (const { name, tensor } of named) {
        const { shape, dtype } = graph.tensors[tensor]
        const slot = this.newSlot(rows(shape, dtype), { kind, name })
        slots.set(name, slot)
        this.lies(tensor, slot)
      }
    }
  }

  producer(tensor: number): { readonly node: Node; readonly output: number } | undefined {
    return this.index.producer(tensor)
  }

  slot(tensor: number): Slot | undefined {
    return this.#slotOf.get(tensor)
  }

  /** A tensor's entries are there from here on. */
  lies(tensor: number, slot: Slot): void {
    this.#slotOf.set(tensor, slot)
  }

  raw(node: Node): Slot {
    return this.#raw.get(node)!
  }

  constant(values: readonly number[], shape: Shape): Slot {
    const key = `${shape.join('x')}:${values.join(',')}`
    const known = this.#constants.get(key) ?? this.newSlot(rows(shape), { kind: 'constant', values })
    this.#constants.set(key, known)
    return known
  }

  newSlot(layout: Layout, home: Home = { kind: 'arena' }): Slot {
    // Kernels count entries in 32 bits.
    if (layout.entries >= 2 ** 31) {
      const rule = 'a tensor must have fewer than 2^31 entries'
      throw new RlviError('compile', rule, showShape(layout.shape), 'use smaller batches')
    }
    const slot = { id: this.slots.length, layout, home }
    this.slots.push(slot)
    return slot
  }

  /** A new slot for a result. */
  result(node: Node, output = 0): Slot {
    const tensor = node.outputs[output]
    const slot = this.newSlot(this.#layout(tensor, node))
    this.lies(tensor, slot)
    return slot
  }

  /** A new slot for a result to which a bias is still to be added. */
  rawResult(node: Node): Slot {
    const slot = this.newSlot(this.#layout(node.outputs[0], node))
    this.#raw.set(node, slot)
    return slot
  }

  readonly scratch: Scratch = (sums, counters) => ({
    sums: this.newSlot(rows([sums])),
    counters: this.newSlot(rows([counters], 'i32'), { kind: 'zeros' }),
  })

  kernel(layer: string, ...calls: readonly KernelCall[]): void {
    for (const call of calls) this.launches.push({ kind: 'kernel', layer, call })
  }

  /** A kernel that writes a result entry by entry. */
  map(node: Node, recomputed?: ReadonlySet<number>): void {
    const [tensor] = node.outputs
    const slot = this.newSlot(this.#layout(tensor, node))
    this.kernel(node.layer, mapKernel(this, tensor, slot, recomputed))
    this.lies(tensor, slot)
  }

  /** How a computed tensor lies in memory. */
  #layout(tensor: number, node: Node): Layout {
    const { shape, dtype } = this.graph.tensors[tensor]
    const isReduced = node.op.kind.startsWith('reduce')
    if (dtype === 'i32' || shape.length !== 4 || isReduced) return rows(shape, dtype)
    return this.#imageLayout(shape, node.op.kind === 'conv2dWeightGrad')
  }

  #imageLayout(shape: Shape, filters = false): Layout {
    return channelsLast(shape, imageElement(this.#precision), { filters })
  }

  /** The order in memory in which a tensor is best read. */
  order(tensor: number): 'rows' | 'channelsLast' {
    const slot = this.slot(tensor)
    if (slot) return slot.layout.kind
    return this.graph.tensors[tensor].shape.length === 4 ? 'channelsLast' : 'rows'
  }

  /** How the images of a batch norm are walked through. */
  walked(tensor: number): Layout {
    const slot = this.slot(tensor)
    const { shape } = this.graph.tensors[tensor]
    if (slot && (slot.layout.kind === 'channelsLast' || shape.length !== 4)) return slot.layout
    return shape.length === 4 ? this.#imageLayout(shape) : rows(shape)
  }

  /** Images as convolutions take them. */
  image(tensor: number): Slot {
    return this.#operand(tensor, this.#imageLayout(this.graph.tensors[tensor].shape))
  }

  /** A convolution's weight as convolutions take it. */
  filter(tensor: number): Slot {
    return this.#operand(tensor, this.#imageLayout(this.graph.tensors[tensor].shape, true))
  }

  #operand(tensor: number, layout: Layout): Slot {
    const there = this.slot(tensor)
    if (there && sameLayout(there.layout, layout)) return there
    const key = `${tensor}:${layout.entries}`
    const known = this.#operands.get(key)
    if (known) return known
    const slot = this.newSlot(layout)
    this.#operands.set(key, slot)
    if (there?.home.kind === 'variable') this.#filterRows.push(filterRow(there, slot))
    else this.kernel('', mapKernel(this, tensor, slot))
    return slot
  }

  /** All filters are made ready at once, before anything else. */
  filtersFirst(): void {
    if (this.#filterRows.length === 0) return
    this.launches.unshift({ kind: 'table', layer: 'filters', table: 'filters', rows: this.#filterRows })
  }
}
