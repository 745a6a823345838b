import { RlviError } from 'rlvi'
import type { Dimension, OnnxGraph, OnnxModel, OnnxNode, OnnxTensor, Value } from '../../onnx/schema.js'
import { infer } from './infer.js'
import { agree, type Known, show } from './known.js'

/** The versions of the standard operators whose rules the package knows. */
const OPSETS = [13, 21] as const

/**
 * Checks a model that the package writes, more strictly than a runtime does: each name is given once and before its use (so there are no cycles), each operator
 * is known and takes what it is given, and the results have the types and shapes that the model declares.
 */
export function validate(model: OnnxModel): void {
  const [first, last] = OPSETS
  if (!(model.opset >= first && model.opset <= last)) {
    throw new RlviError('onnx model', `the opset must be from ${first} to ${last}`, model.opset)
  }
  checkGraph(model.graph, new Map(), new Map())
}

type Scope = Map<string, Known>

function checkGraph(
  graph: OnnxGraph,
  outer: ReadonlyMap<string, Known>,
  outerConstants: ReadonlyMap<string, OnnxTensor>,
): readonly Known[] {
  const scope: Scope = new Map(outer)
  const constants = new Map([...outerConstants, ...graph.initializers])
  const where = `onnx graph ${graph.name}`
  const define = (name: string, known: Known): void => {
    if (scope.has(name)) throw new RlviError(where, 'names must differ', name)
    scope.set(name, known)
  }
  for (const { name, type, shape } of graph.inputs) define(name, { type, shape })
  for (const [name, tensor] of graph.initializers) {
    const size = tensor.dims.reduce((product, length) => product * length, 1)
    if (size !== tensor.data.length) {
      throw new RlviError(
        `${where}, ${name}`,
        `needs ${size} values for ${show(tensor.dims)}`,
        tensor.data.length,
      )
    }
    define(name, { type: tensor.type, shape: tensor.dims })
  }
  graph.nodes.forEach((node, i) => {
    const place = `${where}, node ${i} (${node.op} -> ${node.outputs.join(', ')})`
    const results = checkNode(node, place, scope, constants)
    node.outputs.forEach((name, k) => {
      if (name === '') return
      if (results[k] === undefined) throw new RlviError(place, `has ${results.length} outputs`, name)
      define(name, results[k])
    })
  })
  return graph.outputs.map((output) => checkOutput(output, where, scope))
}

function checkNode(
  node: OnnxNode,
  place: string,
  scope: Scope,
  constants: ReadonlyMap<string, OnnxTensor>,
): readonly Known[] {
  const known = node.inputs.map((name) => {
    const found = scope.get(name)
    if (name !== '' && found === undefined) {
      throw new RlviError(place, 'inputs must be given by an earlier node', name)
    }
    return found
  })
  if (node.op === 'Loop') return checkLoop(node, place, known, scope, constants)
  try {
    return infer({ node, known, constants: node.inputs.map((name) => constants.get(name)) })
  } catch (error) {
    throw new RlviError(place, (error as Error).message, node.inputs.join(', '))
  }
}

/** A loop's body takes (step, going, state...) and gives (going, state..., results...); results are stacked. */
function checkLoop(
  node: OnnxNode,
  place: string,
  known: readonly (Known | undefined)[],
  scope: Scope,
  constants: ReadonlyMap<string, OnnxTensor>,
): readonly Known[] {
  const body = node.attributes?.body
  if (body?.kind !== 'graph') throw new RlviError(place, 'needs a body', body?.kind ?? 'none')
  const states = known.length - 2
  if (body.value.inputs.length !== known.length) {
    throw new RlviError(place, `the body must take ${known.length} inputs`, body.value.inputs.length)
  }
  const [, ...results] = checkGraph(body.value, scope, constants)
  for (let i = 0; i < states; i++) {
    const [given, taken] = [known[i + 2], body.value.inputs[i + 2]]
    for (const other of [given, results[i]]) {
      if (!other || !fits(other, taken)) {
        throw new RlviError(
          place,
          `${taken.name} must be ${show(taken.shape)}`,
          other ? show(other.shape) : 'none',
        )
      }
    }
  }
  return results.map(({ type, shape }, i) => ({ type, shape: i < states ? shape : ['steps', ...shape] }))
}

const fits = (a: Known, b: { type: string; shape: readonly Dimension[] }): boolean =>
  a.type === b.type &&
  a.shape.length === b.shape.length &&
  a.shape.every((length, axis) => agree(length, b.shape[axis]))

function checkOutput(output: Value, where: string, scope: Scope): Known {
  const found = scope.get(output.name)
  if (found === undefined) throw new RlviError(where, 'must compute its outputs', output.name)
  if (!fits(found, output)) {
    const declared = `${output.type} ${show(output.shape)}`
    throw new RlviError(
      `${where}, ${output.name}`,
      `is declared as ${declared}`,
      `${found.type} ${show(found.shape)}`,
    )
  }
  return { type: output.type, shape: output.shape }
}
