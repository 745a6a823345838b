import { readFileSync } from 'node:fs'
import { gradients } from '../autodiff/gradients.js'
import type { Executor } from '../executors/executor.js'
import { GraphBuilder } from '../graph/builder.js'
import { sizeOf } from '../graph/graph.js'
import { mul, sum } from '../graph/values.js'
import { bottleneck } from '../models/blocks.js'
import type { Tolerance } from './golden.js'
import { expectNear } from './golden.js'
import type { Check } from './golden-ops.js'

interface GoldenBottleneck {
  readonly names: readonly string[]
  readonly shapes: readonly (readonly number[])[]
  readonly out_shape: readonly number[]
  readonly out: readonly number[]
  readonly grad_x: readonly number[]
  readonly grads: Readonly<Record<string, readonly number[]>>
}

/** The numbers that golden/bottleneck.py gives tensor t. */
function wave(t: number, size: number, scale: number, centre: number): Float64Array {
  return Float64Array.from({ length: size }, (_, i) => centre + scale * Math.sin(1.7 * i + 0.9 * t + 0.5))
}

/** ResNet50's block, with and without its shortcut's convolution. */
export function goldenBottleneck(executor: () => Executor, { once }: Tolerance): Check {
  const check = async (): Promise<void> => {
    const file = new URL('../../golden/bottleneck.json', import.meta.url)
    const golden: GoldenBottleneck = JSON.parse(readFileSync(file, 'utf8'))
    const g = new GraphBuilder({ mode: 'train' })
    const x = g.feed('x', [3, 3, 7, 6])
    const out = bottleneck(bottleneck(x, 'a', { channels: 4, stride: 2 }), 'b', { channels: 4, stride: 1 })
    const parameters = g.parameters()
    const [dx, ...rest] = gradients(sum(mul(out, g.feed('dy', golden.out_shape))), [
      x,
      ...parameters.map(({ value }) => value),
    ])
    g.fetch('out', out)
    g.fetch('dx', dx)
    for (const [i, { name }] of parameters.entries()) g.fetch(`d ${name}`, rest[i])
    const program = await executor().compile(g.build())
    for (const [t, name] of golden.names.entries()) {
      const norm = golden.shapes[t].length === 1
      const centre = norm && name.endsWith('weight') ? 1 : 0
      await program.variables.write(name, wave(t, sizeOf(golden.shapes[t]), norm ? 0.2 : 0.5, centre))
    }
    const feeds = { x: wave(100, 378, 1, 0), dy: wave(101, golden.out.length, 1, 0) }
    const fetches = await program.run(feeds)
    expectNear(fetches.out, golden.out, once, 'out')
    expectNear(fetches.dx, golden.grad_x, once, 'grad_x')
    for (const name of golden.names) expectNear(fetches[`d ${name}`], golden.grads[name], once, name)
    await program.dispose()
  }
  return ["ResNet50's block", check]
}
