import { RlviError } from 'rlvi'
import { type Graph, type Node, type Shape, showShape } from '../../../graph/graph.js'
import type { AdamStep, BatchNormGrad, BatchNormTrain, Reduce, SgdStep } from '../../../graph/ops.js'
import { type StatisticUpdate, scaleGradKernel, statisticsKernel } from '../source/batch-norm.js'
import type { Scratch } from '../source/column-reduce.js'
import { type Convolution, plainConvolution } from '../source/convolution.js'
import type { Program } from '../source/expressions.js'
import { logSoftmaxKernel } from '../source/losses.js'
import { mapKernel } from '../source/map.js'
import { plainProduct } from '../source/product.js'
import { reduceKernel } from '../source/reduce.js'
import { smallestKernels } from '../source/smallest.js'
import { planArena } from './arena.js'
import { besides, joinOf } from './branches.js'
import { GraphIndex } from './graph-index.js'
import { tensorsInMemory } from './inline.js'
import { type Launch, type PlannedRow, touched } from './launch.js'
import {
  bytesOf,
  channelsLast,
  imageElement,
  type Layout,
  type Precision,
  rows,
  sameLayout,
} from './layout.js'
import { overwrites, recomputedFor, runningStatistics } from './patterns.js'
import { copyRow, filterRow, stepRow } from './rows.js'
import type { Home, Slot } from './slots.js'

/** What a graph becomes: pieces of memory, and what is done with them, in order. */
export interface Plan {
  readonly slots: readonly Slot[]
  readonly launches: readonly Launch[]
  /** Those that may run beside the others until the launch `join`. */
  readonly beside: ReadonlySet<Launch>
  readonly join: number
  /** Where each input goes, and each result comes from. */
  readonly feeds: ReadonlyMap<string, Slot>
  readonly fetches: ReadonlyMap<string, Slot>
  /** Where the slots of the arena lie in it. */
  readonly arena: { readonly offsets: ReadonlyMap<number, number>; readonly bytes: number }
}

/** Turns a graph into launches. Nothing of the device is needed for that. */
export function planGraph(graph: Graph, precision: Precision): Plan {
  return new Planner(graph, precision).plan()
}

class Planner implements Program {
  readonly graph: Graph
  readonly #precision: Precision
  readonly #slots: Slot[] = []
  readonly #launches: Launch[] = []
  readonly #index: GraphIndex
  readonly #inMemory: ReadonlySet<number>
  readonly #slotOf = new Map<number, Slot>()
  readonly #raw = new Map<Node, Slot>()
  readonly #operands = new Map<string, Slot>()
  readonly #constants = new Map<string, Slot>()
  readonly #variables = new Map<string, Slot>()
  readonly #fetches = new Map<string, Slot>()
  readonly #feeds = new Map<string, Slot>()
  readonly #filterRows: PlannedRow[] = []
  /** Updates that some kernel has written into the variable already. */
  readonly #done = new Set<string>()
  readonly #inPlace: Node[] = []
  readonly #fusedRelu = new Map<number, number>()

  constructor(graph: Graph, precision: Precision) {
    this.graph = graph
    this.#precision = precision
    this.#inMemory = tensorsInMemory(graph)
    this.#index = new GraphIndex(graph)
    for (const { name, tensor } of graph.feeds) {
      const { shape, dtype } = graph.tensors[tensor]
      const slot = this.#slot(rows(shape, dtype), { kind: 'feed', name })
      this.#feeds.set(name, slot)
      this.#slotOf.set(tensor, slot)
    }
    for (const { name, tensor } of graph.variables) {
      const { shape, dtype } = graph.tensors[tensor]
      const slot = this.#slot(rows(shape, dtype), { kind: 'variable', name })
      this.#variables.set(name, slot)
      this.#slotOf.set(tensor, slot)
    }
  }

  plan(): Plan {
    const inPlace = new Set(this.graph.nodes.filter((node) => overwrites(this.#index, node)))
    for (const node of this.graph.nodes) {
      if (inPlace.has(node)) this.#inPlace.push(node)
      else this.#lower(node)
    }
    this.#fetchAll()
    const commits = this.#commits()
    this.#optimizer(this.#inPlace)
    if (commits.length > 0)
      this.#launches.push({ kind: 'table', layer: 'update', table: 'copy', rows: commits })
    if (this.#filterRows.length > 0) {
      this.#launches.unshift({ kind: 'table', layer: 'filters', table: 'filters', rows: this.#filterRows })
    }
    const beside = besides(this.#launches)
    const join = joinOf(this.#launches)
    return {
      slots: this.#slots,
      launches: this.#launches,
      feeds: this.#feeds,
      fetches: this.#fetches,
      beside,
      join,
      arena: arenaOf(this.#slots, this.#launches, beside, join),
    }
  }

  producer(tensor: number): { readonly node: Node; readonly output: number } | undefined {
    return this.#index.producer(tensor)
  }

  slot(tensor: number): Slot | undefined {
    const fused = this.#fusedRelu.get(tensor)
    return this.#slotOf.get(fused ?? tensor)
  }

  raw(node: Node): Slot {
    return this.#raw.get(node)!
  }

  constant(values: readonly number[], shape: Shape): Slot {
    const key = `${shape.join('x')}:${values.join(',')}`
    const known = this.#constants.get(key) ?? this.#slot(rows(shape), { kind: 'constant', values })
    this.#constants.set(key, known)
    return known
  }

  #slot(layout: Layout, home: Home = { kind: 'arena' }): Slot {
    // Kernels count entries in 32 bits.
    if (layout.entries >= 2 ** 31) {
      const rule = 'a tensor must have fewer than 2^31 entries'
      throw new RlviError('compile', rule, showShape(layout.shape), 'use smaller batches')
    }
    const slot = { id: this.#slots.length, layout, home }
    this.#slots.push(slot)
    return slot
  }

  /** How a computed tensor lies in memory. */
  #layout(tensor: number, node: Node): Layout {
    const { shape, dtype } = this.graph.tensors[tensor]
    const isReduced = node.op.kind.startsWith('reduce')
    if (dtype === 'i32' || shape.length !== 4 || isReduced) return rows(shape, dtype)
    return channelsLast(shape, imageElement(this.#precision), {
      filters: node.op.kind === 'conv2dWeightGrad',
    })
  }

  /** A new slot for a result. */
  #result(node: Node, output = 0): Slot {
    const tensor = node.outputs[output]
    const slot = this.#slot(this.#layout(tensor, node))
    this.#slotOf.set(tensor, slot)
    return slot
  }

  readonly #scratch: Scratch = (sums, counters) => ({
    sums: this.#slot(rows([sums])),
    counters: this.#slot(rows([counters], 'i32'), { kind: 'zeros' }),
  })

  #kernel(layer: string, ...calls: readonly (Launch & { kind: 'kernel' })['call'][]): void {
    for (const call of calls) this.#launches.push({ kind: 'kernel', layer, call })
  }

  #lower(node: Node): void {
    const { op, inputs, outputs, layer } = node
    const [x, y] = inputs
    switch (op.kind) {
      case 'reduceSum':
      case 'reduceMean':
      case 'reduceMax':
        this.#kernel(
          layer,
          reduceKernel(this, op as Reduce, x, this.#result(node), this.#scratch, this.#order(x)),
        )
        break
      case 'smallest': {
        const scratch = (entries: number): Slot => this.#slot(rows([entries], 'i32'))
        this.#kernel(layer, ...smallestKernels(this, inputs, this.#result(node), scratch))
        break
      }
      case 'logSoftmax':
        this.#kernel(layer, logSoftmaxKernel(this, inputs, this.#result(node)))
        break
      case 'crossEntropy': {
        const losses = this.#result(node, 0)
        this.#kernel(layer, logSoftmaxKernel(this, inputs, this.#result(node, 1), losses))
        break
      }
      case 'matmul':
        this.#product(node)
        break
      case 'conv2d': {
        const made = this.#slot(this.#layout(outputs[0], node))
        const hasBias = inputs.length === 3
        if (hasBias) this.#raw.set(node, made)
        else this.#slotOf.set(outputs[0], made)
        const operands = { x: this.#image(x), w: this.#filter(y), y: made }
        this.#convolution(layer, { ...windowOf(op), direction: 'forward', ...operands })
        if (hasBias && this.#inMemory.has(outputs[0])) this.#map(node)
        break
      }
      case 'conv2dInputGrad': {
        const operands = { y: this.#image(x), w: this.#filter(y), x: this.#result(node) }
        this.#convolution(layer, { ...windowOf(op), direction: 'input', ...operands })
        break
      }
      case 'conv2dWeightGrad': {
        const operands = { x: this.#image(x), y: this.#image(y), w: this.#result(node) }
        this.#convolution(layer, { ...windowOf(op), direction: 'weight', ...operands })
        break
      }
      case 'batchNormTrain': {
        const [mean, variance] = [this.#result(node, 1), this.#result(node, 2)]
        const typed = node as Node & { op: BatchNormTrain }
        const updates = this.#statisticUpdates(node)
        this.#kernel(
          layer,
          statisticsKernel(this, typed, this.#walked(x), [mean, variance], updates, this.#scratch),
        )
        if (this.#inMemory.has(outputs[0])) this.#map(node)
        break
      }
      case 'batchNormGrad': {
        const slots = [this.#result(node, 1), this.#result(node, 2)]
        const again = recomputedFor(this.#index, node, (tensor) => this.#slotOf.has(tensor))
        const typed = node as Node & { op: BatchNormGrad }
        this.#kernel(layer, scaleGradKernel(this, typed, this.#walked(y), slots, this.#scratch, again))
        if (this.#inMemory.has(outputs[0])) this.#map(node, again)
        break
      }
      case 'sgdStep':
      case 'adamStep':
        this.#optimizer([node])
        break
      default:
        if (this.#inMemory.has(outputs[0]) && !this.#fusedRelu.has(outputs[0])) this.#map(node)
    }
  }

  #map(node: Node, recomputed?: ReadonlySet<number>): void {
    const [tensor] = node.outputs
    if (this.#done.has(`t${tensor}`)) return
    const slot = this.#slot(this.#layout(tensor, node))
    this.#kernel(node.layer, mapKernel(this, tensor, slot, recomputed))
    this.#slotOf.set(tensor, slot)
  }

  /** The order in memory in which a tensor is best read. */
  #order(tensor: number): 'rows' | 'channelsLast' {
    const slot = this.slot(tensor)
    if (slot) return slot.layout.kind
    return this.graph.tensors[tensor].shape.length === 4 ? 'channelsLast' : 'rows'
  }

  /** How the images of a batch norm are walked through. */
  #walked(tensor: number): Layout {
    const slot = this.slot(tensor)
    const { shape } = this.graph.tensors[tensor]
    if (slot && (slot.layout.kind === 'channelsLast' || shape.length !== 4)) return slot.layout
    return shape.length === 4 ? channelsLast(shape, imageElement(this.#precision)) : rows(shape)
  }

  /** Images as convolutions take them. */
  #image(tensor: number): Slot {
    return this.#operand(
      tensor,
      channelsLast(this.graph.tensors[tensor].shape, imageElement(this.#precision)),
    )
  }

  #filter(tensor: number): Slot {
    const { shape } = this.graph.tensors[tensor]
    return this.#operand(tensor, channelsLast(shape, imageElement(this.#precision), { filters: true }))
  }

  #operand(tensor: number, layout: Layout): Slot {
    const there = this.slot(tensor)
    if (there && sameLayout(there.layout, layout)) return there
    const key = `${tensor}:${layout.entries}`
    const known = this.#operands.get(key)
    if (known) return known
    const slot = this.#slot(layout)
    this.#operands.set(key, slot)
    if (there?.home.kind === 'variable') {
      // All filters are made ready at once, before anything else.
      this.#filterRows.push(filterRow(there, slot))
    } else this.#kernel('', mapKernel(this, tensor, slot))
    return slot
  }

  #convolution(layer: string, convolution: Convolution): void {
    this.#launches.push({
      kind: 'convolution',
      layer,
      convolution,
      plain: plainConvolution(this, convolution, this.#scratch),
    })
  }

  #product(node: Node): void {
    const { op, inputs, outputs, layer } = node
    if (op.kind !== 'matmul') return
    const [a, b, bias] = inputs.map((id) => this.slot(id))
    const [rowCount, columns] = this.graph.tensors[outputs[0]].shape
    const shape = this.graph.tensors[inputs[0]].shape
    // A relu that is all that becomes of the product is done by the same call.
    const readers = this.#index.readers(outputs[0])
    const isWanted = this.#index.isFetched(outputs[0]) || this.#index.updatesBy(outputs[0]).length > 0
    const next = readers.length === 1 && !isWanted && readers[0].op.kind === 'relu' ? readers[0] : undefined
    const relu = next !== undefined && this.#inMemory.has(next.outputs[0])
    const out = this.#result(node)
    if (relu) {
      this.#slotOf.set(next.outputs[0], out)
      this.#fusedRelu.set(next.outputs[0], outputs[0])
    }
    const product = {
      rows: rowCount,
      columns,
      inner: op.transposeA ? shape[0] : shape[1],
      transposeA: op.transposeA,
      transposeB: op.transposeB,
      relu,
      a: a!,
      b: b!,
      ...(bias ? { bias } : {}),
      out,
    }
    this.#launches.push({ kind: 'product', layer, product, plain: plainProduct(this, product) })
  }

  /** Those that the kernel of the batch's statistics writes at once. */
  #statisticUpdates(node: Node): readonly StatisticUpdate[] {
    return runningStatistics(this.#index, node).map(({ variable, tensor }) => {
      this.#done.add(variable)
      this.#done.add(`t${tensor}`)
      return { tensor, variable: this.#variables.get(variable)! }
    })
  }

  /** One launch for all steps of a kind; those that cannot overwrite get new memory. */
  #optimizer(nodes: readonly Node[]): void {
    for (const kind of ['sgdStep', 'adamStep'] as const) {
      const own = nodes.filter(({ op }) => op.kind === kind)
      if (own.length === 0) continue
      const planned = own.map((node) => this.#step(node as Node & { op: SgdStep | AdamStep }))
      this.#launches.push({
        kind: 'table',
        layer: own[0].layer,
        table: kind === 'sgdStep' ? 'sgd' : 'adam',
        rows: planned,
      })
    }
  }

  #step(node: Node & { readonly op: SgdStep | AdamStep }): PlannedRow {
    const given = node.inputs.map((id) => this.slot(id)!)
    const isInPlace = this.#inPlace.includes(node)
    const out = node.outputs.map((id, i) => {
      if (!isInPlace) return this.#result(node, i)
      for (const { variable } of this.#index.updatesBy(id)) this.#done.add(variable)
      return given[i]
    })
    return stepRow(node.op, given, out)
  }

  /** Results lie together, row-major, to be copied to the host at once. */
  #fetchAll(): void {
    const placed = new Set<number>()
    const copies: PlannedRow[] = []
    for (const { name, tensor } of this.graph.fetches) {
      const { shape } = this.graph.tensors[tensor]
      const there = this.slot(tensor)
      if (
        there &&
        there.home.kind === 'arena' &&
        !placed.has(there.id) &&
        sameLayout(there.layout, rows(shape))
      ) {
        there.home = { kind: 'fetch', name }
        placed.add(there.id)
        this.#fetches.set(name, there)
        continue
      }
      const slot = this.#slot(rows(shape), { kind: 'fetch', name })
      this.#fetches.set(name, slot)
      if (there && there.layout.kind === 'rows') copies.push(copyRow(there, slot))
      else this.#kernel('', mapKernel(this, tensor, slot))
    }
    if (copies.length > 0) this.#launches.push({ kind: 'table', layer: 'fetch', table: 'copy', rows: copies })
  }

  /** What must be copied into variables in the end. What would be overwritten before it is read is put aside first. */
  #commits(): readonly PlannedRow[] {
    const aside: PlannedRow[] = []
    const commits: PlannedRow[] = []
    for (const { variable, tensor } of this.graph.updates) {
      if (this.#done.has(variable)) continue
      const isStep = this.#inPlace.some((node) => node.outputs.includes(tensor))
      if (isStep) continue
      const target = this.#variables.get(variable)!
      const from = this.slot(tensor)
      if (from === target) continue
      let source = from
      if (source && source.home.kind === 'variable') {
        const copy = this.#slot(source.layout)
        aside.push(copyRow(source, copy))
        source = copy
      } else if (!source || !sameLayout(source.layout, target.layout)) {
        source = this.#slot(target.layout)
        this.#kernel('update', mapKernel(this, tensor, source))
      }
      commits.push(copyRow(source, target))
    }
    if (aside.length > 0) this.#launches.push({ kind: 'table', layer: 'update', table: 'copy', rows: aside })
    return commits
  }
}

function windowOf({
  stride,
  padding,
}: Pick<Convolution, 'stride' | 'padding'>): Pick<Convolution, 'stride' | 'padding'> {
  return { stride, padding }
}

/** Slots live from the first launch that touches them to the last; what runs beside the others may need them until the join. */
function arenaOf(
  slots: readonly Slot[],
  launches: readonly Launch[],
  beside: ReadonlySet<Launch>,
  join: number,
): Plan['arena'] {
  const lives = new Map<number, { from: number; to: number }>()
  launches.forEach((launch, at) => {
    for (const { id, home } of touched(launch)) {
      if (home.kind !== 'arena') continue
      const known = lives.get(id)
      const to = beside.has(launch) ? join : at
      lives.set(id, { from: known?.from ?? at, to: Math.max(known?.to ?? 0, to) })
    }
  })
  const ids = [...lives.keys()]
  const { offsets, bytes } = planArena(
    ids.map((id) => ({ ...lives.get(id)!, bytes: bytesOf(slots[id].layout) })),
  )
  return { offsets: new Map(ids.map((id, i) => [id, offsets[i]])), bytes }
}
