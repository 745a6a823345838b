import type { Graph } from '../../../graph/graph.js'
import { planArena } from './arena.js'
import { besides, joinOf } from './branches.js'
import { Draft } from './draft.js'
import { type Launch, touched } from './launch.js'
import { bytesOf, type Precision } from './layout.js'
import { lower } from './lower.js'
import { optimizerSteps } from './optimizer.js'
import { overwrites } from './patterns.js'
import { fetchAll, updatesOf } from './results.js'
import type { Slot } from './slots.js'

/** What a graph becomes: pieces of memory, and what is done with them, in order. */
export interface Plan {
  readonly slots: readonly Slot[]
  readonly launches: readonly Launch[]
  /** Those that may run beside the others until the launch `join`. */
  readonly beside: ReadonlySet<Launch>
  readonly join: number
  /** Where each input goes, and each result comes from. */
  readonly feeds: ReadonlyMap<string, Slot>
  readonly fetches: ReadonlyMap<string, Slot>
  /** Where the slots of the arena lie in it. */
  readonly arena: { readonly offsets: ReadonlyMap<number, number>; readonly bytes: number }
}

/** Smaller tensors would leave most of a card idle if a thread took several of their entries. */
const WIDE_FROM = 1 << 15

/** Turns a graph into launches. Nothing of the device is needed for that. */
export function planGraph(graph: Graph, precision: Precision, wideFrom: number = WIDE_FROM): Plan {
  const draft = new Draft(graph, precision, wideFrom)
  // Steps of an optimizer that overwrite parameters come last: until then the old values are read.
  const inPlace = graph.nodes.filter((node) => overwrites(draft.index, node))
  for (const node of graph.nodes) {
    if (inPlace.includes(node)) continue
    if (node.op.kind === 'sgdStep' || node.op.kind === 'adamStep') optimizerSteps(draft, [node], false)
    else lower(draft, node)
  }
  const fetches = fetchAll(draft)
  const commits = updatesOf(draft, new Set(inPlace.flatMap(({ outputs }) => outputs)))
  optimizerSteps(draft, inPlace, true)
  if (commits.length > 0) {
    draft.launches.push({ kind: 'table', layer: 'update', table: 'copy', rows: commits })
  }
  draft.filtersFirst()
  const { slots, launches, feeds } = draft
  const beside = besides(launches)
  const join = joinOf(launches)
  const arena = arenaOf(slots, launches, beside, join)
  return { slots, launches, beside, join, feeds, fetches, arena }
}

/** Slots live from the first launch that touches them to the last; what runs beside the others may need them until the join. */
function arenaOf(
  slots: readonly Slot[],
  launches: readonly Launch[],
  beside: ReadonlySet<Launch>,
  join: number,
): Plan['arena'] {
  const lives = new Map<number, { from: number; to: number }>()
  launches.forEach((launch, at) => {
    for (const { id, home } of touched(launch)) {
      if (home.kind !== 'arena') continue
      const known = lives.get(id)
      const to = beside.has(launch) ? join : at
      lives.set(id, { from: known?.from ?? at, to: Math.max(known?.to ?? 0, to) })
    }
  })
  const ids = [...lives.keys()]
  const { offsets, bytes } = planArena(
    ids.map((id) => ({ ...lives.get(id)!, bytes: bytesOf(slots[id].layout) })),
  )
  return { offsets: new Map(ids.map((id, i) => [id, offsets[i]])), bytes }
}
