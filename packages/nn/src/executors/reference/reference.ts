import { RlviError } from 'rlvi'
import { type Graph, showShape } from '../../graph/graph.js'
import type { Executor, Feeds, Fetches, FloatArray, Program, Variables } from '../executor.js'
import { checkFeeds } from '../feeds.js'
import { newVariables } from '../new-variables.js'
import { compute } from './kernels.js'
import { type Rounding, roundedInputs, roundedResults } from './rounding.js'
import { type Make, maker, type Tensor } from './tensor.js'

/** Settings of the reference executor. */
export interface ReferenceOptions {
  /** What tensors are stored in; sums are always float64. Default `float64`: the oracle. */
  readonly precision?: 'float32' | 'float64'
  /** Rounds what a card of that precision rounds, and nothing else: what is then off is the rounding's doing. Default: nothing. */
  readonly rounding?: Rounding
}

/** Plain loops, slow and obviously right: the executor that the others are compared with. */
export function referenceExecutor(options: ReferenceOptions = {}): Executor {
  const make = maker(options.precision ?? 'float64')
  return {
    name: 'reference',
    variables: () => new PlainVariables(),
    compile: async (graph, variables = new PlainVariables()) => {
      if (!(variables instanceof PlainVariables)) {
        throw new RlviError('compile', 'variables must come from this executor', variables.constructor.name)
      }
      variables.declare(graph, make)
      return program(graph, variables, make, options.rounding)
    },
  }
}

class PlainVariables implements Variables {
  readonly tensors: Map<string, Tensor> = new Map()

  /** Takes in the graph's variables: those it has must agree in shape, the others start as the graph says. */
  declare(graph: Graph, make: Make): void {
    for (const { name, shape, dtype, values } of newVariables(graph, this.tensors)) {
      const made: Tensor = dtype === 'i32' ? { shape, data: new Int32Array(values.length) } : make(shape)
      made.data.set(values)
      this.tensors.set(name, made)
    }
  }

  has(name: string): boolean {
    return this.tensors.has(name)
  }

  names(): readonly string[] {
    return [...this.tensors.keys()]
  }

  async read(name: string): Promise<FloatArray> {
    const { data } = this.#get(name)
    if (data instanceof Int32Array)
      throw new RlviError(name, 'only real numbers can be read back', 'whole numbers')
    return data.slice()
  }

  async write(name: string, values: ArrayLike<number>): Promise<void> {
    const { shape, data } = this.#get(name)
    if (values.length !== data.length) {
      throw new RlviError(name, `needs ${data.length} values for ${showShape(shape)}`, values.length)
    }
    // A run may have handed the old array out as a fetch.
    const next = data.slice()
    next.set(values)
    this.tensors.set(name, { shape, data: next })
  }

  async dispose(): Promise<void> {
    this.tensors.clear()
  }

  #get(name: string): Tensor {
    const tensor = this.tensors.get(name)
    if (!tensor) throw new RlviError('variables', 'must name a variable', name)
    return tensor
  }
}

function program(
  graph: Graph,
  variables: PlainVariables,
  make: Make,
  rounding: Rounding | undefined,
): Program {
  const run = async (feeds: Feeds): Promise<Fetches> => {
    checkFeeds(graph, feeds)
    const tensors = new Array<Tensor>(graph.tensors.length)
    for (const { name, tensor } of graph.variables) {
      const variable = variables.tensors.get(name)
      if (!variable) throw new RlviError('run', 'the variables must not be disposed of', name)
      tensors[tensor] = variable
    }
    for (const { name, tensor } of graph.feeds) {
      const { shape, dtype } = graph.tensors[tensor]
      const given = feeds[name]
      if (dtype === 'i32') {
        tensors[tensor] = { shape, data: Int32Array.from(given as Int32Array) }
        continue
      }
      const made = make(shape)
      made.data.set(typeof given === 'number' ? [given] : given)
      tensors[tensor] = made
    }
    for (const { op, inputs, outputs } of graph.nodes) {
      const given = inputs.map((id) => tensors[id])
      const results = compute(
        op,
        rounding === undefined ? given : roundedInputs(op, given, rounding),
        outputs.map((id) => graph.tensors[id]),
        make,
      )
      const stored = rounding === undefined ? results : roundedResults(op, results, rounding)
      outputs.forEach((id, i) => {
        tensors[id] = stored[i]
      })
    }
    const fetched = graph.fetches.map(({ name, tensor }) => [
      name,
      (tensors[tensor].data as FloatArray).slice(),
    ])
    for (const { variable, tensor } of graph.updates) variables.tensors.set(variable, tensors[tensor])
    return Object.fromEntries(fetched)
  }
  return {
    graph,
    variables,
    run,
    runMany: async (steps) => {
      const all: Fetches[] = []
      for (const feeds of steps) all.push(await run(feeds))
      return all
    },
    dispose: async () => {},
  }
}
