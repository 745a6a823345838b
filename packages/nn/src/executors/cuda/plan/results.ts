import { mapKernel } from '../source/map.js'
import type { Draft } from './draft.js'
import type { PlannedRow } from './launch.js'
import { rows, sameLayout } from './layout.js'
import { copyRow } from './rows.js'
import type { Slot } from './slots.js'

/** What is fetched lies together, row-major, to be copied to the host at once. */
export function fetchAll(draft: Draft): ReadonlyMap<string, Slot> {
  const fetches = new Map<string, Slot>()
  const placed = new Set<number>()
  const copies: PlannedRow[] = []
  for (const { name, tensor } of draft.graph.fetches) {
    const { shape } = draft.graph.tensors[tensor]
    const there = draft.slot(tensor)
    if (
      there &&
      there.home.kind === 'arena' &&
      !placed.has(there.id) &&
      sameLayout(there.layout, rows(shape))
    ) {
      there.home = { kind: 'fetch', name }
      placed.add(there.id)
      fetches.set(name, there)
      continue
    }
    const slot = draft.newSlot(rows(shape), { kind: 'fetch', name })
    fetches.set(name, slot)
    if (there && there.layout.kind === 'rows') copies.push(copyRow(there, slot))
    else draft.kernel('', mapKernel(draft, tensor, slot))
  }
  if (copies.length > 0) draft.launches.push({ kind: 'table', layer: 'fetch', table: 'copy', rows: copies })
  return fetches
}

/**
 * The copies that give variables their new values at the end, but for those that will be written where they lie. What would be
 * overwritten before it is read is put aside first.
 */
export function updatesOf(draft: Draft, inPlace: ReadonlySet<number>): readonly PlannedRow[] {
  const aside: PlannedRow[] = []
  const commits: PlannedRow[] = []
  for (const { variable, tensor } of draft.graph.updates) {
    if (draft.updated.has(variable) || inPlace.has(tensor)) continue
    const target = draft.variables.get(variable)!
    const from = draft.slot(tensor)
    if (from === target) continue
    let source = from
    if (source && source.home.kind === 'variable') {
      const copy = draft.newSlot(source.layout)
      aside.push(copyRow(source, copy))
      source = copy
    } else if (!source || !sameLayout(source.layout, target.layout)) {
      source = draft.newSlot(target.layout)
      draft.kernel('update', mapKernel(draft, tensor, source))
    }
    commits.push(copyRow(source, target))
  }
  if (aside.length > 0) draft.launches.push({ kind: 'table', layer: 'update', table: 'copy', rows: aside })
  return commits
}
