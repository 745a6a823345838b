import { RlviError } from 'rlvi'
import type { Graph } from '../../../graph/graph.js'
import type { Feeds, Fetches, Program } from '../../executor.js'
import { checkFeeds } from '../../feeds.js'
import { indexCheck } from '../../indices.js'
import type { Launch } from '../plan/launch.js'
import { type Plan, planGraph } from '../plan/plan.js'
import { type Action, actionsOf, plainCall, textFor } from './actions.js'
import type { Device } from './device.js'
import { allocateMemory } from './memory.js'
import { record, storedRecorder } from './record.js'
import { checkStored, type Runner, runner } from './runner.js'
import type { CudaVariables, VariablePool } from './variables.js'

/** A launch with the milliseconds that it takes alone. */
export interface LaunchTime {
  readonly kind: string
  readonly layer: string
  readonly what: string
  readonly ms: number
}

/** What can say where its time goes. */
export interface Measured {
  /** The time of each launch, the median of some runs. Variables change as if steps were run. */
  profile(runs?: number): readonly LaunchTime[]
  /** Runs steps on the last feeds, one after the other without the host; milliseconds that the device took. */
  replay(steps: number): Promise<number>
}

/** A program that can say where its time goes. */
export interface CudaProgram extends Program, Measured {}

/** A graph made ready for all members of an ensemble at once. */
export interface MembersProgram extends Runner, Measured {
  readonly graph: Graph
  dispose(): void
}

/** Compiles a graph for as many members as the variables are of: plans it, compiles its kernels, chooses algorithms, and records all of it as one CUDA graph. */
export function compileMembers(device: Device, graph: Graph, variables: VariablePool): MembersProgram {
  const plan = planGraph(graph, device.options.precision, device.options.wideFrom)
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
    // Alone, plain convolutions and products are compiled only where they are tried.
    const calls = plan.launches.flatMap((launch) =>
      launch.kind === 'kernel' || memory.members > 1 ? (plainCall(launch) ?? []) : [],
    )
    device.kernels.prepare(calls.map((call) => textFor(call, memory)))
    const actions = actionsOf(device, plan, memory, stream, undo)
    const side = device.makeStream()
    undo.push(() => driver.cuStreamDestroy_v2(side))
    const recorded = record(device, plan, actions, [stream, side])
    undo.push(() => driver.cuGraphExecDestroy(recorded))
    const withImages = storedRecorder(device, graph, plan, actions, memory, [stream, side], undo)
    const running = runner(device, graph, memory, stream, recorded, withImages, undo)
    undo.push(settle)
    return {
      ...running,
      graph,
      dispose,
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

/** Compiles a graph for one network. */
export function compileProgram(device: Device, graph: Graph, variables: CudaVariables): CudaProgram {
  const { profile, replay, dispose, ...members } = compileMembers(device, graph, variables.pool)
  return {
    ...memberProgram(graph, variables, {
      runMany: async (steps) => (await members.runMany([steps]))[0],
      runStored: async (steps) => (await members.runStored([steps]))[0],
      dispose,
    }),
    profile,
    replay,
  }
}

/** One network's part in a program. */
export interface Part {
  runMany(steps: Parameters<Program['runMany']>[0]): Promise<readonly Fetches[]>
  runStored(steps: Parameters<NonNullable<Program['runStored']>>[0]): Promise<readonly Fetches[]>
  dispose(): void
}

/** A network's part as a program whose steps are checked first. */
export function memberProgram(graph: Graph, variables: CudaVariables, part: Part): Program {
  const isThere = (): void => {
    for (const { name } of graph.variables) {
      if (!variables.has(name)) throw new RlviError('run', 'the variables must not be disposed of', name)
    }
  }
  /** The graph with all feeds but the images, for checking. */
  const others: Graph = { ...graph, feeds: graph.feeds.filter(({ name }) => name !== 'x') }
  const checkIndices = indexCheck(graph)
  const check = (asked: Graph, given: Feeds): void => {
    checkFeeds(asked, given)
    checkIndices(given)
  }
  const runMany: Program['runMany'] = async (steps) => {
    for (const given of steps) check(graph, given)
    isThere()
    return part.runMany(steps)
  }
  return {
    graph,
    variables,
    run: async (given) => (await runMany([given]))[0],
    runMany,
    runStored: async (steps) => {
      for (const { x, feeds } of steps) {
        check(others, feeds)
        checkStored(graph, x)
      }
      isThere()
      return part.runStored(steps)
    },
    async dispose() {
      part.dispose()
    },
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
