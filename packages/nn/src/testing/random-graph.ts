import { gradients } from '../autodiff/gradients.js'
import type { Feeds } from '../executors/executor.js'
import { GraphBuilder, type Value } from '../graph/builder.js'
import { type Graph, sizeOf } from '../graph/graph.js'
import { add, mean, mul, sum, tanh } from '../graph/values.js'
import { adam } from '../optim/adam.js'
import { applyGradients } from '../optim/minimize.js'
import { sgd } from '../optim/sgd.js'
import { TestRandom } from './random.js'
import { randomOps } from './random-ops.js'

/** A graph with inputs to run it on. */
export interface RandomCase {
  readonly graph: Graph
  /** The inputs of each of a few steps. */
  readonly steps: readonly Feeds[]
}

const CLASSES = 4

/**
 * A random graph over all primitive operations: a handful of operations on random earlier results, all of them fetched,
 * and in most graphs gradients and an optimizer's step too. Values stay of the size of 1, so that executors of any
 * precision can be compared; the same seed gives the same case.
 */
export function randomGraph(seed: number): RandomCase {
  const random = new TestRandom(seed)
  const g = new GraphBuilder({ mode: random.pick(['train', 'train', 'evaluate']), seed })
  const batch = random.whole(2, 4)
  const side = (): number => random.whole(4, 7)
  const pool: Value[] = [
    g.feed('image', [batch, random.whole(1, 3), side(), side()]),
    g.feed('matrix', [batch, random.whole(2, 6)]),
    g.feed('vector', [random.whole(3, 9)]),
    g.feed('scalar', []),
    g.variable('weight', [batch, 3], 'parameter', { kind: 'uniform', bound: 1, seed, key: 'weight' }),
  ]
  const labels = g.feed('labels', [batch], { dtype: 'i32' })
  const rows = g.feed('rows', [random.whole(1, 5)], { dtype: 'i32' })

  const count = random.whole(3, 12)
  for (let i = 0; i < count; ) {
    const op = random.pick(randomOps)
    const made = op({ g, random, pool, labels, rows, name: `n${i}`, classes: CLASSES })
    if (made.length === 0) continue
    pool.push(...made)
    i++
  }
  for (const [i, value] of pool.slice(5).entries()) g.fetch(`y${i}`, value)
  if (g.mode === 'train') train(g, random, pool)

  const graph = g.build()
  const steps = Array.from({ length: 3 }, () => feedsOf(graph, random, batch))
  return { graph, steps }
}

/** Differentiates a bounded function of everything, and takes a step. */
function train(g: GraphBuilder, random: TestRandom, pool: readonly Value[]): void {
  // `take` has no gradient by its table, and values behind it are left out with it.
  const behindTake = new Set<number>()
  for (const node of g.nodes) {
    const reached = node.op.kind === 'take' || node.inputs.some((id) => behindTake.has(id))
    if (reached) for (const id of node.outputs) behindTake.add(id)
  }
  const terms = pool.filter(({ id }) => !behindTake.has(id)).map((value) => mean(tanh(value)))
  const loss = terms.reduce((a, b) => add(a, b))
  const parameters = g.parameters()
  const [byImage, ...found] = gradients(loss, [pool[0], ...parameters.map(({ value }) => value)])
  g.fetch('loss', loss)
  g.fetch('by image', byImage)
  for (const [i, gradient] of found.entries()) g.fetch(`by ${parameters[i].name}`, gradient)
  // Adam divides by the gradient's size, which makes noise out of gradients that are 0 but for rounding.
  const steady = found.map((gradient, i) => add(gradient, mul(parameters[i].value, 0.1)))
  const optimizer = random.pick([
    sgd({ momentum: 0.9, weightDecay: 0.01 }),
    sgd(),
    adam({ weightDecay: 0.01, epsilon: 1e-2 }),
  ])
  applyGradients(parameters, steady, optimizer)
  g.fetch('total', sum(loss))
}

function feedsOf(graph: Graph, random: TestRandom, batch: number): Feeds {
  const draw = (name: string, size: number, keep?: number): Feeds[string] => {
    if (name === 'labels') return Int32Array.from({ length: size }, () => random.whole(0, CLASSES - 1))
    if (name === 'rows') return Int32Array.from({ length: size }, () => random.whole(0, batch - 1))
    if (name === 'rate') return 0.05
    if (keep !== undefined)
      return Float32Array.from({ length: size }, () => (random.uniform() < keep ? 1 : 0))
    return Float32Array.from(
      random.spread(size),
      (x) => Math.max(-2, Math.min(2, x)) + random.uniform(0, 0.01),
    )
  }
  return Object.fromEntries(
    graph.feeds.map(({ name, tensor, dropout }) => [
      name,
      draw(name, sizeOf(graph.tensors[tensor].shape), dropout?.keep),
    ]),
  )
}
