import type { Graph } from '../../../graph/graph.js'
import type { Program } from '../../executor.js'
import type { Launch } from '../plan/launch.js'
import { type Plan, planGraph } from '../plan/plan.js'
import { type Action, actionsOf } from './actions.js'
import type { Device } from './device.js'
import { allocateMemory } from './memory.js'
import { record, storedRecorder } from './record.js'
import { runner } from './runner.js'
import type { CudaVariables } from './variables.js'

/** A launch with the milliseconds that it takes alone. */
export interface LaunchTime {
  readonly kind: string
  readonly layer: string
  readonly what: string
  readonly ms: number
}

/** A program that can say where its time goes. */
export interface CudaProgram extends Program {
  /** The time of each launch, the median of some runs. Variables change as if steps were run. */
  profile(runs?: number): readonly LaunchTime[]
  /** Runs steps on the last feeds, one after the other without the host; milliseconds that the device took. */
  replay(steps: number): Promise<number>
}

/** Compiles a graph: plans it, compiles its kernels, chooses algorithms, and records all of it as one CUDA graph. */
export function compileProgram(device: Device, graph: Graph, variables: CudaVariables): CudaProgram {
  const plan = planGraph(graph, device.options.precision)
  const { driver } = device
  const undo: (() => void)[] = []
  const dispose = (): void => {
    for (const each of undo.splice(0).reverse()) each()
  }
  try {
    const stream = device.makeStream()
    undo.push(() => driver.cuStreamDestroy_v2(stream))
    // Nothing is freed that a run which was given up may still use.
    const settle = (): void => void driver.status('cuStreamSynchronize', stream)
    const memory = allocateMemory(device, plan, variables)
    undo.push(() => memory.free())
    device.kernels.prepare(
      plan.launches.flatMap((launch) => (launch.kind === 'kernel' ? [launch.call.text] : [])),
    )
    const actions = actionsOf(device, plan, memory, stream, undo)
    device.cache.saveChoices()
    const side = device.makeStream()
    undo.push(() => driver.cuStreamDestroy_v2(side))
    const recorded = record(device, plan, actions, [stream, side])
    undo.push(() => driver.cuGraphExecDestroy(recorded))
    const withImages = storedRecorder(device, graph, plan, actions, memory, [stream, side], undo)
    const program = runner(device, graph, variables, memory, stream, recorded, withImages, undo, dispose)
    undo.push(settle)
    return {
      ...program,
      profile: (runs = 5) => profileOf(device, plan, actions, stream, runs),
      replay: async (steps) =>
        device.elapsed(stream, () => {
          for (let step = 0; step < steps; step++) driver.cuGraphLaunch(recorded, stream)
        }),
    }
  } catch (error) {
    dispose()
    throw error
  }
}

function profileOf(
  device: Device,
  plan: Plan,
  actions: readonly Action[],
  stream: number,
  runs: number,
): readonly LaunchTime[] {
  return plan.launches.map((launch, i) => ({
    kind: launch.kind,
    layer: launch.layer,
    what: describe(launch),
    ms: device.time(stream, () => actions[i](stream), runs, 16),
  }))
}

function describe(launch: Launch): string {
  switch (launch.kind) {
    case 'kernel':
      return launch.call.slots.map(({ layout }) => layout.shape.join('x')).join(' ')
    case 'convolution':
      return launch.convolution.direction
    case 'product':
      return [launch.product.rows, launch.product.inner, launch.product.columns].join('x')
    case 'table':
      return launch.table
  }
}
