import { RlviError } from 'rlvi'
import type { GraphBuilder, Value } from '../graph/builder.js'
import { showShape } from '../graph/graph.js'
import { add, broadcastTo } from '../graph/values.js'
import { elementwiseRules } from './elementwise-rules.js'
import { networkRules } from './network-rules.js'
import type { Rule, Rules } from './rule.js'
import { shapeRules } from './shape-rules.js'

const rules: Rules = { ...elementwiseRules, ...shapeRules, ...networkRules }

/** Results that do not change when an input changes a little: for differentiation they are constants. */
const piecewiseConstant = new Set([
  'stopGradient',
  'greater',
  'greaterEqual',
  'equal',
  'oneHot',
  'smallest',
  'constant',
])

/**
 * The gradients of a scalar by each of the values, as new nodes of the same graph (reverse mode). A value that the
 * scalar does not depend on gets zeros.
 */
export function gradients(scalar: Value, by: readonly Value[]): readonly Value[] {
  if (scalar.shape.length > 0) {
    throw new RlviError(
      'gradients',
      'only a scalar can be differentiated',
      showShape(scalar.shape),
      'take its sum',
    )
  }
  const { graph } = scalar
  const active = dependents(graph, by)
  const found = new Map<number, Value>()
  if (active.has(scalar.id)) found.set(scalar.id, graph.scalar(1))

  for (const node of [...graph.nodes].reverse()) {
    const outputGradients = node.outputs.map((id) => found.get(id))
    if (outputGradients.every((gradient) => gradient === undefined)) continue
    const wanted = node.inputs.map((id) => active.has(id))
    if (piecewiseConstant.has(node.op.kind) || !wanted.includes(true)) continue
    const rule = rules[node.op.kind] as Rule | undefined
    if (!rule) {
      const where = node.layer || 'gradients'
      throw new RlviError(
        where,
        'must be made of operations with a gradient',
        node.op.kind,
        'stop the gradient before it',
      )
    }
    const inputGradients = graph.inLayer(node.layer, () =>
      rule({
        op: node.op,
        inputs: node.inputs.map((id) => graph.value(id)),
        outputs: node.outputs.map((id) => graph.value(id)),
        gradients: outputGradients,
        wanted,
      }),
    )
    node.inputs.forEach((id, i) => {
      const gradient = inputGradients[i]
      if (!gradient || !wanted[i]) return
      const sofar = found.get(id)
      found.set(id, sofar ? graph.inLayer(node.layer, () => add(sofar, gradient)) : gradient)
    })
  }
  return by.map((value) => found.get(value.id) ?? broadcastTo(graph.scalar(0), value.shape))
}

/** The values that change when one of `by` changes. */
function dependents(graph: GraphBuilder, by: readonly Value[]): ReadonlySet<number> {
  const active = new Set(by.map((value) => value.id))
  for (const node of graph.nodes) {
    if (piecewiseConstant.has(node.op.kind)) continue
    if (node.inputs.some((id) => active.has(id))) for (const id of node.outputs) active.add(id)
  }
  return active
}
