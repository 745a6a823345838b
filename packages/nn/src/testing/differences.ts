import { expect } from 'vitest'
import { gradients } from '../autodiff/gradients.js'
import { referenceExecutor } from '../executors/reference/reference.js'
import { GraphBuilder, type Value } from '../graph/builder.js'
import { type Shape, sizeOf } from '../graph/graph.js'
import { add, mul, sum } from '../graph/values.js'
import { TestRandom } from './random.js'

/** A function of tensors whose gradient is to be checked. */
export interface Differentiable {
  readonly shapes: readonly Shape[]
  /** Whole-number inputs, not differentiated. */
  readonly labels?: Int32Array
  /** How the inputs are drawn. Default `spread`. */
  readonly draw?: (random: TestRandom, size: number, input: number) => Float64Array
  build(inputs: readonly Value[], labels: Value): Value | readonly Value[]
}

const STEP = 1e-5
/** Entries of each input that are moved; the others only enter the computation. */
const MOVED = 12

/** Compares the gradient of a random weighted sum of all outputs with central differences, in float64. */
export async function expectGradient(f: Differentiable, seed: number): Promise<void> {
  const random = new TestRandom(seed)
  const g = new GraphBuilder({ mode: 'train' })
  const inputs = f.shapes.map((shape, i) => g.feed(`x${i}`, shape))
  const labels = g.feed('labels', [f.labels?.length ?? 1], { dtype: 'i32' })
  const outputs = [f.build(inputs, labels)].flat()
  const total = outputs
    .map((output, i) => sum(mul(output, g.feed(`c${i}`, output.shape))))
    .reduce((a, b) => add(a, b))
  g.fetch('total', total)
  for (const [i, gradient] of gradients(total, inputs).entries()) {
    expect(gradient.shape).toEqual(inputs[i].shape)
    g.fetch(`d${i}`, gradient)
  }
  const graph = g.build()
  const program = await referenceExecutor().compile(graph)
  const draw = f.draw ?? ((source: TestRandom, size: number) => source.spread(size))
  const values = f.shapes.map((shape, i) => draw(random, sizeOf(shape), i))
  const all = {
    ...Object.fromEntries(values.map((value, i) => [`x${i}`, value])),
    ...Object.fromEntries(
      outputs.map((output, i) => [`c${i}`, random.uniforms(sizeOf(output.shape), -1, 1)]),
    ),
    labels: f.labels ?? new Int32Array(1),
  }
  const feeds = Object.fromEntries(
    Object.entries(all).filter(([name]) => graph.feeds.some((feed) => feed.name === name)),
  )
  const found = await program.run(feeds)

  for (const [i, value] of values.entries()) {
    for (let move = 0; move < Math.min(MOVED, value.length); move++) {
      const at = value.length <= MOVED ? move : random.whole(0, value.length - 1)
      const moved = async (by: number): Promise<number> => {
        const copy = value.slice()
        copy[at] += by
        return (await program.run({ ...feeds, ...(feeds[`x${i}`] && { [`x${i}`]: copy }) })).total[0]
      }
      const slope = ((await moved(STEP)) - (await moved(-STEP))) / (2 * STEP)
      const gap = Math.abs(found[`d${i}`][at] - slope)
      if (!(gap <= 1e-6 * Math.max(1, Math.abs(slope)))) {
        expect.fail(`input ${i} entry ${at}: gradient ${found[`d${i}`][at]}, difference quotient ${slope}`)
      }
    }
  }
}
