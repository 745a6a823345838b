import type { Graph, Node, Update } from '../../../graph/graph.js'

/** Who makes and who reads the tensors of a graph. */
export class GraphIndex {
  readonly graph: Graph
  readonly #producers: Map<number, { readonly node: Node; readonly output: number }> = new Map()
  readonly #readers: Map<number, Node[]> = new Map()

  constructor(graph: Graph) {
    this.graph = graph
    for (const node of graph.nodes) {
      node.outputs.forEach((id, output) => {
        this.#producers.set(id, { node, output })
      })
      for (const id of node.inputs) this.#readers.set(id, [...(this.#readers.get(id) ?? []), node])
    }
  }

  /** The node that computes a tensor, and which of its results it is; none for feeds and variables. */
  producer(tensor: number): { readonly node: Node; readonly output: number } | undefined {
    return this.#producers.get(tensor)
  }

  readers(tensor: number): readonly Node[] {
    return this.#readers.get(tensor) ?? []
  }

  isFetched(tensor: number): boolean {
    return this.graph.fetches.some((fetch) => fetch.tensor === tensor)
  }

  /** The variables that become this tensor. */
  updatesBy(tensor: number): readonly Update[] {
    return this.graph.updates.filter((update) => update.tensor === tensor)
  }

  /** The tensor that is a variable's present value. */
  tensorOf(variable: string): number {
    return this.graph.variables.find(({ name }) => name === variable)!.tensor
  }
}
