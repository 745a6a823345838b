/**
 * Whether training gives the same numbers every time: the same steps from the same start, several times, variables compared bit
 * by bit.
 *
 *   node bench/dist/gpu/repeat.js
 */
import { cudaExecutor, lenet, type Model, type Precision, resnet18, weightedStep } from '@rlvi/nn'
import { sgd } from '@rlvi/nn/optim'
import { draws } from 'rlvi/random'

interface Task {
  readonly model: Model
  readonly batch: number
  readonly precision: Precision
  readonly steps: number
  readonly times: number
}

const tasks: readonly Task[] = [
  { model: lenet(), batch: 32, precision: 'fp32', steps: 100, times: 5 },
  { model: lenet(), batch: 32, precision: 'bf16', steps: 100, times: 5 },
  { model: resnet18(), batch: 128, precision: 'bf16', steps: 60, times: 5 },
  { model: resnet18(), batch: 3, precision: 'bf16', steps: 60, times: 5 },
]
for (const { model, batch, precision, steps, times } of tasks) {
  const graph = weightedStep(model, { batch, optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }) })
  const random = draws('gpu-repeat', 1)
  const size = batch * model.image.reduce((product, length) => product * length, 1)
  const feeds = Array.from({ length: steps }, () => ({
    x: Float32Array.from({ length: size }, () => random.normal()),
    y: Int32Array.from({ length: batch }, () => Math.floor(random.uniform(0, model.classes))),
    w: new Float32Array(batch).fill(1 / batch),
    rate: 0.01,
  }))
  const executor = cudaExecutor({ precision })
  let first: ReadonlyMap<string, Uint32Array> | undefined
  let alike = 0
  const others = new Set<string>()
  for (let time = 0; time < times; time++) {
    const program = await executor.compile(graph)
    await program.runMany(feeds)
    const now = new Map<string, Uint32Array>()
    for (const name of program.variables.names()) {
      const values = Float32Array.from(await program.variables.read(name))
      now.set(name, new Uint32Array(values.buffer))
    }
    await program.dispose()
    await program.variables.dispose()
    first ??= now
    const apart = [...now].filter(([name, bits]) => {
      const before = first?.get(name)
      return bits.some((value, i) => value !== before?.[i])
    })
    if (apart.length === 0) alike++
    for (const [name] of apart) others.add(name)
  }
  const what =
    alike === times
      ? ''
      : `; not alike: ${[...others].slice(0, 8).join(', ')}${others.size > 8 ? ', ...' : ''}`
  console.log(
    `${model.name}, batch ${batch}, ${precision}: ${alike} of ${times} trainings of ${steps} steps alike${what}`,
  )
}
