import type { Graph, Node, Shape } from '../../graph/graph.js'
import { BLOCKED, type Emitter } from './emitter.js'

/**
 * How the numbers of a tensor may lie in memory.
 * - `plain`: row-major, as the graph has it.
 * - `blocked`: images [N, C, H, W] kept as [N, C/b, H, W, b], which ONNX Runtime's fast convolutions take and give. ONNX
 *   sees the shape [N, C, H, W] still, so that entry-wise operators need not know.
 * - `phased`: images [N, C, 2h, 2w] kept as [N, 4C, h, w], a group of channels for each place in a 2 x 2 window, so that
 *   pooling is a maximum of four contiguous pieces.
 */
export type Layout = 'plain' | 'blocked' | 'phased'

/** slope x + shift (+ sum), by channel, of a blocked tensor: written out when needed, since a relu may be part of it. */
export interface Affine {
  readonly x: string
  readonly slope: string
  readonly shift: string
  readonly sum?: number
}

/** The state of a graph's translation: the names of its tensors in the layouts that were made so far. */
export class Lowering {
  readonly graph: Graph
  readonly emit: Emitter
  /** Channels in a block; 0 where the runtime has no blocked operators. */
  readonly block: number
  /** Tensors that are better kept in phases, decided beforehand. */
  readonly phases: ReadonlySet<number>
  readonly #names: Map<number, Map<Layout, string>> = new Map()
  readonly #affine: Map<number, Affine> = new Map()
  readonly #uses: number[]

  constructor(graph: Graph, emit: Emitter, block: number, phases: ReadonlySet<number> = new Set()) {
    this.graph = graph
    this.emit = emit
    this.block = block
    this.phases = phases
    this.#uses = new Array<number>(graph.tensors.length).fill(0)
    for (const node of graph.nodes) for (const id of node.inputs) this.#uses[id] += 1
    for (const { tensor } of [...graph.updates, ...graph.fetches]) this.#uses[tensor] += 1
  }

  shape(id: number): Shape {
    return this.graph.tensors[id].shape
  }

  put(id: number, layout: Layout, name: string): void {
    const names = this.#names.get(id) ?? new Map<Layout, string>()
    names.set(layout, name)
    this.#names.set(id, names)
  }

  /** A result that is only written when someone needs it as it is. */
  defer(id: number, affine: Affine): void {
    this.#affine.set(id, affine)
  }

  /** The deferred result, if this is its only use. */
  deferred(id: number): Affine | undefined {
    return this.#uses[id] === 1 && !this.#names.has(id) ? this.#affine.get(id) : undefined
  }

  has(id: number, layout: Layout): boolean {
    if (layout === 'blocked' && this.#affine.has(id)) return true
    return this.#names.get(id)?.has(layout) ?? false
  }

  /** Whether the tensor exists in the layout and not as plain rows: then it is better to stay there. */
  only(id: number, layout: Layout): boolean {
    return this.has(id, layout) && !this.has(id, 'plain')
  }

  canBlock(shape: Shape): boolean {
    return this.block > 0 && shape.length === 4 && shape[1] % this.block === 0
  }

  plain(id: number): string {
    return this.#get(id, 'plain', () => {
      const [n, c, h, w] = this.shape(id)
      const { emit } = this
      if (this.has(id, 'blocked')) {
        return emit.op('ReorderOutput', [this.blocked(id)], { channels: c }, BLOCKED)
      }
      const split = emit.reshape(this.phased(id), [n, 2, 2, c, h / 2, w / 2])
      return emit.reshape(emit.transpose(split, [0, 3, 4, 1, 5, 2]), [n, c, h, w])
    })
  }

  blocked(id: number): string {
    return this.#get(id, 'blocked', () => {
      const affine = this.#affine.get(id)
      if (affine) return this.write(affine, this.shape(id))
      return this.emit.op('ReorderInput', [this.plain(id)], {}, BLOCKED)
    })
  }

  phased(id: number): string {
    return this.#get(id, 'phased', () => {
      const [n, c, h, w] = this.shape(id)
      const split = this.emit.reshape(this.plain(id), [n, c, h / 2, 2, w / 2, 2])
      return this.emit.reshape(this.emit.transpose(split, [0, 3, 5, 1, 2, 4]), [n, 4 * c, h / 2, w / 2])
    })
  }

  /** Writes an affine map by channel: a convolution of one entry for each channel, in one pass over memory. */
  write(affine: Affine, shape: Shape, activation?: 'Relu'): string {
    const inputs = [affine.x, this.emit.reshape(affine.slope, [shape[1], 1, 1, 1]), affine.shift]
    if (affine.sum !== undefined) inputs.push(this.blocked(affine.sum))
    const attributes = { kernel_shape: [1, 1], group: shape[1], ...(activation ? { activation } : {}) }
    return this.emit.op('Conv', inputs, attributes, BLOCKED)
  }

  #get(id: number, layout: Layout, make: () => string): string {
    const known = this.#names.get(id)?.get(layout)
    if (known !== undefined) return known
    const name = make()
    this.put(id, layout, name)
    return name
  }
}

/** Translates one node of the graph. */
export type Rule<O> = (low: Lowering, node: Node & { readonly op: O }) => void
