import type { Node } from '../../../graph/graph.js'
import type { AdamStep, SgdStep } from '../../../graph/ops.js'
import type { Draft } from './draft.js'
import type { PlannedRow } from './launch.js'
import { stepRow } from './rows.js'

/** One launch for all steps of a kind. Those that may not overwrite what they were made from get new memory. */
export function optimizerSteps(draft: Draft, nodes: readonly Node[], isInPlace: boolean): void {
  for (const kind of ['sgdStep', 'adamStep'] as const) {
    const own = nodes.filter(({ op }) => op.kind === kind)
    if (own.length === 0) continue
    const rows = own.map((node) => planned(draft, node as Node & { op: SgdStep | AdamStep }, isInPlace))
    const table = kind === 'sgdStep' ? 'sgd' : 'adam'
    draft.launches.push({ kind: 'table', layer: own[0].layer, table, rows })
  }
}

function planned(
  draft: Draft,
  node: Node & { readonly op: SgdStep | AdamStep },
  isInPlace: boolean,
): PlannedRow {
  const given = node.inputs.map((id) => draft.slot(id)!)
  const out = node.outputs.map((id, i) => {
    if (!isInPlace) return draft.result(node, i)
    for (const { variable } of draft.index.updatesBy(id)) draft.updated.add(variable)
    return given[i]
  })
  return stepRow(node.op, given, out)
}
