import type { DType, Graph } from '../../graph/graph.js'
import { type OnnxGraph, type OnnxModel, type OnnxNode, subgraph, type Value } from '../../onnx/schema.js'
import { Emitter } from './emitter.js'
import { type Layouts, lower } from './lower/rules.js'

/** The version of the standard operators: widely supported, and the sums' axes are inputs already. */
export const OPSET = 17

export const typeOf = (dtype: DType): 'float32' | 'int32' => (dtype === 'i32' ? 'int32' : 'float32')

export const feedName = (name: string): string => `feed/${name}`
export const variableName = (name: string): string => `variable/${name}`
export const nextName = (name: string): string => `next/${name}`
export const fetchName = (name: string): string => `fetch/${name}`

/** One step as an ONNX model: feeds and variables in, fetches and the variables' next values out. */
export function stepModel(graph: Graph, layouts: Layouts): OnnxModel {
  const value = named(graph)
  const inputs = [
    ...graph.feeds.map(({ name, tensor }) => value(feedName(name), tensor)),
    ...graph.variables.map(({ name, tensor }) => value(variableName(name), tensor)),
  ]
  const { nodes, emit } = body(graph, '', new Map(), layouts)
  const outputs = [
    ...graph.fetches.map(({ name, tensor }) => value(fetchName(name), tensor)),
    ...graph.updates.map(({ variable, tensor }) => value(nextName(variable), tensor)),
  ]
  return { opset: OPSET, graph: { name: 'step', inputs, outputs, nodes, initializers: emit.initializers } }
}

/**
 * Many steps as one ONNX model: a loop whose state is the variables that change. The feeds of all steps are stacked along
 * a new first axis, as are the fetches.
 */
export function loopModel(graph: Graph, layouts: Layouts): OnnxModel {
  const value = named(graph)
  const changing = new Set(graph.updates.map(({ variable }) => variable))
  const state = graph.variables.filter(({ name }) => changing.has(name))
  const stacked = (item: Value): Value => ({ ...item, shape: ['steps', ...item.shape] })

  const fetched = graph.feeds.map(({ name, tensor }): [number, string] => [tensor, `step/${name}`])
  const before = state.map(({ name, tensor }): [number, string] => [tensor, `before/${name}`])
  const { nodes, emit } = body(graph, 'step/', new Map([...fetched, ...before]), layouts)
  const gathers = graph.feeds.map(
    ({ name }): OnnxNode => ({
      op: 'Gather',
      inputs: [feedName(name), 'step'],
      outputs: [`step/${name}`],
      attributes: { axis: { kind: 'int', value: 0 } },
    }),
  )
  const go: OnnxNode = { op: 'Identity', inputs: ['going'], outputs: ['go on'] }
  const inner: OnnxGraph = {
    name: 'steps',
    inputs: [
      { name: 'step', type: 'int64', shape: [] },
      { name: 'going', type: 'bool', shape: [] },
      ...state.map(({ name, tensor }) => value(`before/${name}`, tensor)),
    ],
    outputs: [
      { name: 'go on', type: 'bool', shape: [] },
      ...state.map(({ name, tensor }) => value(nextName(name), tensor)),
      ...graph.fetches.map(({ name, tensor }) => value(fetchName(name), tensor)),
    ],
    nodes: [...gathers, ...nodes, go],
    initializers: emit.initializers,
  }
  const loop: OnnxNode = {
    op: 'Loop',
    inputs: ['steps', '', ...state.map(({ name }) => variableName(name))],
    outputs: [...state.map(({ name }) => `after/${name}`), ...graph.fetches.map(({ name }) => `all/${name}`)],
    attributes: { body: subgraph(inner) },
  }
  const outer: OnnxGraph = {
    name: 'loop',
    inputs: [
      { name: 'steps', type: 'int64', shape: [] },
      ...graph.feeds.map(({ name, tensor }) => stacked(value(feedName(name), tensor))),
      ...graph.variables.map(({ name, tensor }) => value(variableName(name), tensor)),
    ],
    outputs: [
      ...state.map(({ name, tensor }) => value(`after/${name}`, tensor)),
      ...graph.fetches.map(({ name, tensor }) => stacked(value(`all/${name}`, tensor))),
    ],
    nodes: [loop],
    initializers: new Map(),
  }
  return { opset: OPSET, graph: outer }
}

function named(graph: Graph): (name: string, tensor: number) => Value {
  return (name, tensor) => {
    const { shape, dtype } = graph.tensors[tensor]
    return { name, type: typeOf(dtype), shape }
  }
}

/** The nodes of a step, its results under their own names. `replaced` renames the names of some inputs. */
function body(
  graph: Graph,
  prefix: string,
  replaced: ReadonlyMap<number, string>,
  layouts: Layouts,
): { readonly nodes: readonly OnnxNode[]; readonly emit: Emitter } {
  const emit = new Emitter(prefix)
  const names = new Map<number, string>()
  for (const { name, tensor } of graph.feeds) names.set(tensor, feedName(name))
  for (const { name, tensor } of graph.variables) names.set(tensor, variableName(name))
  for (const [tensor, name] of replaced) names.set(tensor, name)
  const find = lower(graph, emit, names, layouts)
  const results = [
    ...graph.updates.map(({ variable, tensor }) => [find(tensor), nextName(variable)] as const),
    ...graph.fetches.map(({ name, tensor }) => [find(tensor), fetchName(name)] as const),
  ]
  return { nodes: renamed(emit.nodes, results), emit }
}

/** Gives results their names: where a node computes one, the node's output is called so, which saves a copy. */
function renamed(
  nodes: readonly OnnxNode[],
  results: readonly (readonly [from: string, to: string])[],
): readonly OnnxNode[] {
  const computed = new Set(nodes.flatMap(({ outputs }) => outputs))
  const names = new Map<string, string>()
  const copies: OnnxNode[] = []
  for (const [from, to] of results) {
    if (computed.has(from) && !names.has(from)) names.set(from, to)
    else copies.push({ op: 'Identity', inputs: [from], outputs: [to] })
  }
  const rename = (list: readonly string[]): readonly string[] => list.map((name) => names.get(name) ?? name)
  return [...nodes, ...copies].map((node) => ({
    ...node,
    inputs: rename(node.inputs),
    outputs: rename(node.outputs),
  }))
}
