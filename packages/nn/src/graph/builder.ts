import { RlviError } from 'rlvi'
import {
  type DType,
  type Feed,
  type Fetch,
  type Graph,
  type Init,
  type Node,
  type Shape,
  sameShape,
  showShape,
  sizeOf,
  type TensorType,
  type Variable,
} from './graph.js'
import type { Op } from './ops.js'
import { pruned } from './prune.js'
import { outputTypes } from './shapes.js'

/** A tensor of a graph that is being built. Functions of values (`add`, `relu`, a layer) return new values. */
export interface Value {
  readonly graph: GraphBuilder
  readonly id: number
  readonly shape: Shape
  readonly dtype: DType
}

/** What a graph is built for. */
export interface BuilderOptions {
  /** `train`: batch statistics and dropout; `evaluate`: running statistics, no dropout. Default `evaluate`. */
  readonly mode?: 'train' | 'evaluate'
  /** Seeds the initial parameters. Default 1. */
  readonly seed?: number
}

/**
 * Collects the nodes of a graph. Names of variables are their full path: the open scopes, then the layer's own name,
 * joined by dots, as in PyTorch (`layer1.0.conv1.weight`).
 *
 * @example
 * const g = new GraphBuilder()
 * g.fetch('y', relu(linear(g.feed('x', [8, 3]), 'out', 2)))
 * const program = await onnxExecutor().compile(g.build())
 * const { y } = await program.run({ x: new Float32Array(24) })
 */
export class GraphBuilder {
  readonly mode: 'train' | 'evaluate'
  readonly seed: number
  readonly #tensors: TensorType[] = []
  readonly #nodes: Node[] = []
  readonly #producers = new Map<number, Node>()
  readonly #feeds: Feed[] = []
  readonly #variables = new Map<string, Variable>()
  readonly #updates = new Map<string, number>()
  readonly #fetches: Fetch[] = []
  readonly #constants = new Map<number, Value>()
  #path: readonly string[] = []
  #layer: string | undefined
  #sharing = false

  constructor(options: BuilderOptions = {}) {
    this.mode = options.mode ?? 'evaluate'
    this.seed = options.seed ?? 1
  }

  /** Runs `body` with `name` in front of the names of its layers. */
  scope<T>(name: string, body: () => T): T {
    const before = this.#path
    this.#path = [...before, name]
    try {
      return body()
    } finally {
      this.#path = before
    }
  }

  /** Runs `body`, whose layers may use parameters that exist already: one network applied twice. */
  shared<T>(body: () => T): T {
    const before = this.#sharing
    this.#sharing = true
    try {
      return body()
    } finally {
      this.#sharing = before
    }
  }

  /** Runs `body` with its nodes marked as a layer's, by its full name as it is. */
  inLayer<T>(layer: string, body: () => T): T {
    const before = this.#layer
    this.#layer = layer
    try {
      return body()
    } finally {
      this.#layer = before
    }
  }

  /** The full name of something in the open scopes. */
  path(name: string): string {
    return [...this.#path, name].join('.')
  }

  get layer(): string {
    return this.#layer ?? this.#path.join('.')
  }

  /** An input of each run. */
  feed(name: string, shape: Shape, options: { dtype?: DType; dropout?: { keep: number } } = {}): Value {
    if (this.#feeds.some((feed) => feed.name === name)) throw new RlviError('feed', 'names must differ', name)
    const value = this.#value({ shape: checkedShape(name, shape), dtype: options.dtype ?? 'f32' })
    const { dropout } = options
    this.#feeds.push(dropout ? { name, tensor: value.id, dropout } : { name, tensor: value.id })
    return value
  }

  /** A tensor that stays between runs; its name is taken as it is. Twice the same name is an error outside `shared`. */
  variable(name: string, shape: Shape, role: Variable['role'], init: Init, dtype: DType = 'f32'): Value {
    const existing = this.#variables.get(name)
    if (existing) {
      const type = this.#tensors[existing.tensor]
      if (!this.#sharing) {
        throw new RlviError(name, 'names of layers must differ', name, 'give one of them another name')
      }
      if (!sameShape(type.shape, shape)) {
        throw new RlviError(name, `shared use needs the shape ${showShape(type.shape)}`, showShape(shape))
      }
      return this.#wrap(existing.tensor)
    }
    const size = sizeOf(checkedShape(name, shape))
    if (init.kind === 'values' && init.values.length !== size) {
      throw new RlviError(name, `needs ${size} initial values for ${showShape(shape)}`, init.values.length)
    }
    const value = this.#value({ shape, dtype })
    this.#variables.set(name, { name, tensor: value.id, role, init })
    return value
  }

  /** The parameters so far, in the order in which the layers made them. */
  parameters(): readonly { readonly name: string; readonly value: Value }[] {
    return [...this.#variables.values()]
      .filter((variable) => variable.role === 'parameter')
      .map(({ name, tensor }) => ({ name, value: this.#wrap(tensor) }))
  }

  /** After the run the variable becomes this value. A second assignment replaces the first. */
  assign(name: string, value: Value): void {
    const variable = this.#variables.get(name)
    if (!variable) throw new RlviError('assign', 'must name a variable', name)
    const { shape } = this.#tensors[variable.tensor]
    if (!sameShape(shape, value.shape)) {
      throw new RlviError(name, `its new value must be ${showShape(shape)}`, showShape(value.shape))
    }
    this.#updates.set(name, this.#own(value).id)
  }

  /** What the variable will be after the run, as far as assigned; otherwise what it was before. */
  latest(name: string): Value {
    const id = this.#updates.get(name) ?? this.#variables.get(name)?.tensor
    if (id === undefined) throw new RlviError('latest', 'must name a variable', name)
    return this.#wrap(id)
  }

  /** Returns the value from each run under this name. */
  fetch(name: string, value: Value): void {
    if (this.#fetches.some((fetch) => fetch.name === name)) {
      throw new RlviError('fetch', 'names must differ', name)
    }
    if (value.dtype !== 'f32') throw new RlviError('fetch', `${name} must hold real numbers`, value.dtype)
    this.#fetches.push({ name, tensor: this.#own(value).id })
  }

  /** A scalar; equal scalars are one node. */
  scalar(value: number): Value {
    const existing = this.#constants.get(value)
    if (existing) return existing
    const made = this.apply({ kind: 'constant', shape: [], values: [value] }, [])[0]
    this.#constants.set(value, made)
    return made
  }

  /** Adds a node, after checking its inputs' shapes, and returns its outputs. */
  apply(op: Op, inputs: readonly Value[]): readonly Value[] {
    const types = outputTypes(op, inputs, this.layer)
    const outputs = types.map((type) => this.#value(type))
    const node: Node = {
      op,
      inputs: inputs.map((input) => this.#own(input).id),
      outputs: outputs.map((output) => output.id),
      layer: this.layer,
    }
    this.#nodes.push(node)
    for (const output of outputs) this.#producers.set(output.id, node)
    return outputs
  }

  /** The node that computes a value; none for feeds and variables. */
  producer(id: number): Node | undefined {
    return this.#producers.get(id)
  }

  /** The nodes so far, in order. */
  get nodes(): readonly Node[] {
    return this.#nodes
  }

  /** A value by its number. */
  value(id: number): Value {
    return this.#wrap(id)
  }

  /** The graph of what the fetches and updates need. Building may go on afterwards. */
  build(): Graph {
    const updates = [...this.#updates].map(([variable, tensor]) => ({ variable, tensor }))
    return pruned({
      tensors: this.#tensors,
      nodes: this.#nodes,
      feeds: this.#feeds,
      variables: [...this.#variables.values()],
      updates,
      fetches: this.#fetches,
    })
  }

  #value(type: TensorType): Value {
    this.#tensors.push(type)
    return this.#wrap(this.#tensors.length - 1)
  }

  #wrap(id: number): Value {
    const { shape, dtype } = this.#tensors[id]
    return { graph: this, id, shape, dtype }
  }

  #own(value: Value): Value {
    if (value.graph !== this) throw new RlviError(this.layer, 'values must belong to one graph', 'two graphs')
    return value
  }
}

function checkedShape(name: string, shape: Shape): Shape {
  if (!shape.every((length) => Number.isInteger(length) && length >= 1)) {
    throw new RlviError(name, 'lengths must be whole and at least 1', showShape(shape))
  }
  return [...shape]
}
