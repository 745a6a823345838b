import type { Tensor } from 'onnxruntime-node'
import { type Graph, sizeOf } from '../../graph/graph.js'
import type { Feeds, Fetches, FloatArray, Program } from '../executor.js'
import { checkFeeds } from '../feeds.js'
import { indexCheck } from '../indices.js'
import type { Layouts } from './lower/rules.js'
import { feedName, fetchName, loopModel, nextName, stepModel, variableName } from './model.js'
import { open, type Runtime } from './runtime.js'
import type { SessionOptions } from './session-options.js'
import type { OnnxVariables } from './variables.js'
import { multiplications } from './work.js'

/** Steps that a loop takes in one call: beyond this a call's cost is nothing, and the stacked inputs grow. */
const MOST_STEPS = 100

/** Above this much input per step (bytes) stacking costs more than a call. */
const LARGE_STEP = 2 ** 22

/** Fewer multiplications than this (LeNet has 27 million in a step) are done sooner by one thread. */
const SHORT = 1e8

/** A program keeps one session for single steps and one for many, each made when first needed. */
export function compile(
  runtime: Runtime,
  graph: Graph,
  variables: OnnxVariables,
  layouts: Layouts,
  options: SessionOptions,
): Program {
  const tensorOf = (data: Float32Array | Int32Array, dims: readonly number[]): Tensor =>
    data instanceof Int32Array
      ? new runtime.Tensor('int32', data, dims)
      : new runtime.Tensor('float32', data, dims)
  const threads = multiplications(graph) < SHORT ? 1 : undefined
  const settings = threads === undefined ? options : { threads, ...options }
  const updated = graph.updates.map(({ variable }) => variable)
  const single = lazy(() => open(stepModel(graph, layouts), settings))
  const many = lazy(() => open(loopModel(graph, layouts), settings))
  const checkIndices = indexCheck(graph)
  const check = (feeds: Feeds): void => {
    checkFeeds(graph, feeds)
    checkIndices(feeds)
  }
  const given = (): Record<string, Tensor> =>
    Object.fromEntries(
      graph.variables.map(({ name, tensor }) => [
        variableName(name),
        tensorOf(variables.now(name), graph.tensors[tensor].shape),
      ]),
    )
  const places = (named: (variable: string) => string): Record<string, Tensor> =>
    Object.fromEntries(
      graph.updates.map(({ variable, tensor }) => [
        named(variable),
        tensorOf(variables.next(variable), graph.tensors[tensor].shape),
      ]),
    )

  const run = async (feeds: Feeds): Promise<Fetches> => {
    check(feeds)
    const inputs = given()
    for (const { name, tensor } of graph.feeds) {
      inputs[feedName(name)] = tensorOf(stacked([feeds[name]]), graph.tensors[tensor].shape)
    }
    const outputs = places(nextName)
    for (const { name, tensor } of graph.fetches) {
      const { shape } = graph.tensors[tensor]
      outputs[fetchName(name)] = tensorOf(new Float32Array(sizeOf(shape)), shape)
    }
    await (await single()).run(inputs, outputs)
    updated.forEach((name) => {
      variables.swap(name)
    })
    return Object.fromEntries(
      graph.fetches.map(({ name }) => [name, outputs[fetchName(name)].data as Float32Array]),
    )
  }

  const loop = async (steps: readonly Feeds[]): Promise<readonly Fetches[]> => {
    const count = steps.length
    const inputs = given()
    inputs.steps = new runtime.Tensor('int64', BigInt64Array.of(BigInt(count)), [])
    for (const { name, tensor } of graph.feeds) {
      const all = stacked(steps.map((feeds) => feeds[name]))
      inputs[feedName(name)] = tensorOf(all, [count, ...graph.tensors[tensor].shape])
    }
    const outputs = places((name) => `after/${name}`)
    for (const { name, tensor } of graph.fetches) {
      const shape = [count, ...graph.tensors[tensor].shape]
      outputs[`all/${name}`] = tensorOf(new Float32Array(sizeOf(shape)), shape)
    }
    await (await many()).run(inputs, outputs)
    updated.forEach((name) => {
      variables.swap(name)
    })
    return steps.map((_, i) =>
      Object.fromEntries(
        graph.fetches.map(({ name, tensor }): [string, FloatArray] => {
          const size = sizeOf(graph.tensors[tensor].shape)
          const all = outputs[`all/${name}`].data as Float32Array
          return [name, all.slice(i * size, (i + 1) * size)]
        }),
      ),
    )
  }

  const bytes = 4 * graph.feeds.reduce((sum, { tensor }) => sum + sizeOf(graph.tensors[tensor].shape), 0)
  const runMany = async (steps: readonly Feeds[]): Promise<readonly Fetches[]> => {
    const all: Fetches[] = []
    if (bytes > LARGE_STEP || steps.length < 2 || graph.updates.length === 0) {
      for (const feeds of steps) all.push(await run(feeds))
      return all
    }
    steps.forEach(check)
    for (let at = 0; at < steps.length; at += MOST_STEPS) {
      all.push(...(await loop(steps.slice(at, at + MOST_STEPS))))
    }
    return all
  }

  const dispose = async (): Promise<void> => {
    for (const session of [single, many]) await (await session.made)?.release()
  }
  return { graph, variables, run, runMany, dispose }
}

/** Values one after the other; a single array is passed on as it is. */
function stacked(values: readonly (FloatArray | Int32Array | number)[]): Float32Array | Int32Array {
  const [first] = values
  if (typeof first === 'number') return Float32Array.from(values as readonly number[])
  if (values.length === 1) return first instanceof Float64Array ? Float32Array.from(first) : first
  const size = first.length
  const all =
    first instanceof Int32Array
      ? new Int32Array(values.length * size)
      : new Float32Array(values.length * size)
  values.forEach((value, i) => {
    all.set(typeof value === 'number' ? [value] : value, i * size)
  })
  return all
}

interface Lazy<T> {
  (): Promise<T>
  made: Promise<T> | undefined
}

function lazy<T>(make: () => Promise<T>): Lazy<T> {
  const get: Lazy<T> = Object.assign(
    () => {
      get.made ??= make()
      return get.made
    },
    { made: undefined },
  )
  return get
}
