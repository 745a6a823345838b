import { RlviError } from 'rlvi'
import type { Graph } from '../../../graph/graph.js'
import type { Executor, Feeds, Fetches, StoredStep } from '../../executor.js'
import type { Device } from './device.js'
import { type CudaProgram, compileMembers, type MembersProgram, memberProgram } from './program.js'
import { CudaVariables, VariablePool } from './variables.js'

/** One of some executors whose networks are trained as one program. */
export interface EnsembleMember extends Executor {
  /** It has no more steps: the others wait for it no longer. */
  leave(): void
}

/** A member's call, which waits for those of the others. */
interface Call {
  readonly program: MembersProgram
  readonly kind: 'values' | 'stored'
  readonly steps: readonly Feeds[] | readonly StoredStep[]
  readonly settle: (fetches: readonly Fetches[]) => void
  readonly fail: (error: unknown) => void
}

/**
 * Executors for networks that differ in nothing but their numbers, such as those of several seeds: each step is done for all of them
 * by the same launches. Whoever trains such a network does not notice: a call waits until all members have made theirs, which
 * must be of the same kind, as they are when the same training runs on data of the same size.
 */
export function ensembleOf(count: number, device: () => Promise<Device>): readonly EnsembleMember[] {
  const pool = new VariablePool(count)
  const programs = new Map<string, { readonly program: MembersProgram; users: number }>()
  const present = new Set(Array.from({ length: count }, (_, member) => member))
  /** Calls of the members that are there, in their order. */
  const calls = new Map<number, Call[]>()

  const launchIfAllAreThere = (): void => {
    const next = new Map([...calls].flatMap(([member, [first]]) => (first ? [[member, first]] : [])))
    if (next.size === 0 || [...present].some((member) => !next.has(member))) return
    for (const member of next.keys()) calls.get(member)!.shift()
    void together(count, next)
  }
  const call = (
    member: number,
    program: MembersProgram,
    kind: Call['kind'],
    steps: Call['steps'],
  ): Promise<readonly Fetches[]> =>
    new Promise((settle, fail) => {
      const own = calls.get(member) ?? []
      calls.set(member, own)
      own.push({ program, kind, steps, settle, fail })
      launchIfAllAreThere()
    })
  return [...present].map((member) => ({
    name: 'cuda',
    keepsImages: true,
    variables: () => new CudaVariables(pool, member),
    compile: async (graph, variables = new CudaVariables(pool, member)) => {
      if (!(variables instanceof CudaVariables && variables.pool === pool)) {
        throw new RlviError('compile', 'variables must come from this executor', variables.constructor.name)
      }
      const ready = await device()
      variables.declare(graph, ready)
      const key = structureOf(graph)
      const shared = programs.get(key) ?? { program: compileMembers(ready, graph, pool), users: 0 }
      programs.set(key, shared)
      shared.users++
      const { program } = shared
      const own = memberProgram(graph, variables, {
        runMany: (steps) => call(member, program, 'values', steps),
        runStored: (steps) => call(member, program, 'stored', steps),
        dispose: () => {
          shared.users--
          if (shared.users > 0) return
          programs.delete(key)
          program.dispose()
        },
      })
      const { profile, replay } = program
      return { ...own, profile, replay } satisfies CudaProgram
    },
    leave: () => {
      present.delete(member)
      launchIfAllAreThere()
    },
  }))
}

/** Runs the calls of all members that are there as one; a place that is empty repeats another's steps, which nobody sees. */
async function together(count: number, calls: ReadonlyMap<number, Call>): Promise<void> {
  const all = [...calls.values()]
  const [first] = all
  try {
    for (const { kind, program, steps } of all) {
      if (kind === first.kind && program === first.program && steps.length === first.steps.length) continue
      const rule = 'the networks of an ensemble must take the same steps'
      throw new RlviError(
        'ensemble',
        rule,
        `${steps.length} and ${first.steps.length}`,
        'train them one by one',
      )
    }
    const rows = Array.from({ length: count }, (_, member) => (calls.get(member) ?? first).steps)
    if (first.kind === 'stored') checkImages(rows as readonly (readonly StoredStep[])[])
    const results =
      first.kind === 'values'
        ? await first.program.runMany(rows as readonly (readonly Feeds[])[])
        : await first.program.runStored(rows as readonly (readonly StoredStep[])[])
    for (const [member, { settle }] of calls) settle(results[member])
  } catch (error) {
    for (const { fail } of all) fail(error)
  }
}

/** All members take their images from the same ones. */
function checkImages(rows: readonly (readonly StoredStep[])[]): void {
  rows[0].forEach(({ x }, step) => {
    if (rows.every((row) => row[step].x.images.pixels === x.images.pixels)) return
    throw new RlviError(
      'ensemble',
      'all networks must learn from the same images',
      'others',
      'train them one by one',
    )
  })
}

/** A graph without the numbers that its variables start with. */
function structureOf({ variables, ...graph }: Graph): string {
  return JSON.stringify([graph, variables.map(({ name, tensor, role }) => [name, tensor, role])])
}
