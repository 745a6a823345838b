import type { Graph, Node } from './graph.js'

/**
 * The graph without what no fetch or update needs, its tensors numbered anew. Feeds and variables that nothing reads are
 * left out as well, except variables that are only written.
 */
export function pruned(graph: Graph): Graph {
  const needed = new Set([...graph.fetches, ...graph.updates].map(({ tensor }) => tensor))
  const kept: Node[] = []
  for (const node of graph.nodes.toReversed()) {
    if (!node.outputs.some((id) => needed.has(id))) continue
    for (const id of [...node.inputs, ...node.outputs]) needed.add(id)
    kept.push(node)
  }
  const written = new Set(graph.updates.map(({ variable }) => variable))
  const variables = graph.variables.filter(({ name, tensor }) => needed.has(tensor) || written.has(name))
  for (const { tensor } of variables) needed.add(tensor)

  const order = [...needed].sort((a, b) => a - b)
  const place = new Map(order.map((id, i) => [id, i]))
  const at = (id: number): number => place.get(id)!
  const moved = <T extends { readonly tensor: number }>(item: T): T => ({ ...item, tensor: at(item.tensor) })
  return {
    tensors: order.map((id) => graph.tensors[id]),
    nodes: kept
      .reverse()
      .map((node) => ({ ...node, inputs: node.inputs.map(at), outputs: node.outputs.map(at) })),
    feeds: graph.feeds.filter(({ tensor }) => needed.has(tensor)).map(moved),
    variables: variables.map(moved),
    updates: graph.updates.map(moved),
    fetches: graph.fetches.map(moved),
  }
}
