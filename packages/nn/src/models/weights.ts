import { RlviError } from 'rlvi'
import type { Program } from '../executors/executor.js'
import { sameShape, showShape, sizeOf } from '../graph/graph.js'
import type { StoredTensor } from './safetensors.js'

/** Which parameters are not loaded. */
export interface LoadOptions {
  /** Parameters that keep their initial values, such as a new head: `(name) => name.startsWith('fc.')`. */
  readonly fresh?: (name: string) => boolean
}

/**
 * Puts stored tensors into a program's parameters and running statistics, by name. Either all of it fits or nothing is
 * written. Returns the names in the file that the model has no use for.
 */
export async function loadWeights(
  program: Program,
  tensors: ReadonlyMap<string, StoredTensor>,
  options: LoadOptions = {},
): Promise<readonly string[]> {
  const { graph, variables } = program
  const wanted = graph.variables.filter(({ role }) => role === 'parameter' || role === 'statistic')
  const fitting: (readonly [string, ArrayLike<number>])[] = []
  const used = new Set<string>()
  for (const { name, tensor } of wanted) {
    if (options.fresh?.(name)) continue
    const { shape } = graph.tensors[tensor]
    const stored = tensors.get(name)
    if (!stored) {
      const todo = 'is it a file for this model?'
      throw new RlviError('weights', `the file must have ${name} ${showShape(shape)}`, 'none', todo)
    }
    if (!sameShape(stored.shape, shape)) {
      throw new RlviError(
        name,
        `must be ${showShape(shape)}`,
        showShape(stored.shape),
        'is it for this model?',
      )
    }
    if (stored.values instanceof BigInt64Array) throw new RlviError(name, 'must hold real numbers', 'I64')
    if (stored.values.length !== sizeOf(shape)) {
      throw new RlviError(name, `needs ${sizeOf(shape)} values for ${showShape(shape)}`, stored.values.length)
    }
    const bad = stored.values.findIndex((value) => !Number.isFinite(value))
    if (bad >= 0) throw new RlviError(name, 'must hold finite numbers', stored.values[bad])
    fitting.push([name, stored.values])
    used.add(name)
  }
  for (const [name, values] of fitting) await variables.write(name, values)
  return [...tensors.keys()].filter((name) => !used.has(name))
}

/** A program's parameters and running statistics, as `loadWeights` takes them. */
export async function modelWeights(program: Program): Promise<ReadonlyMap<string, StoredTensor>> {
  const { graph, variables } = program
  const out = new Map<string, StoredTensor>()
  for (const { name, tensor, role } of graph.variables) {
    if (role !== 'parameter' && role !== 'statistic') continue
    out.set(name, {
      shape: graph.tensors[tensor].shape,
      values: Float32Array.from(await variables.read(name)),
    })
  }
  return out
}
