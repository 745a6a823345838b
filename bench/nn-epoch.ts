/** An epoch of RLVI, of its variant with a level, and of the methods with two networks, over the standard method's epoch. */
import { lenet, memoryData, memoryEvaluation, onnxExecutor, openTraining } from '@rlvi/nn'
import { coteaching, jocor, type Method, posterior, rlvi, standard } from '@rlvi/nn/methods'
import { constantRate, sgd } from '@rlvi/nn/optim'
import { draws } from 'rlvi/random'
import { ms, say } from './measure.js'

const SAMPLES = 9600
const VALIDATION = 1000
const ROUNDS = 7

/** Images of the size of MNIST's: a class is a bright patch at its own place, and 45 % of the labels are the next class. */
function images(count: number, seed: number): { readonly x: Float32Array; readonly labels: Int32Array } {
  const random = draws('nn-epoch', seed)
  const x = Float32Array.from({ length: count * 784 }, () => random.normal())
  const labels = Int32Array.from({ length: count }, (_, i) => {
    const digit = Math.floor(random.uniform(0, 10))
    for (let row = 0; row < 5; row++) {
      const start = i * 784 + (2 * digit + row) * 28 + 2 * digit
      for (let column = 0; column < 5; column++) x[start + column] += 2
    }
    return random.uniform(0, 1) < 0.45 ? (digit + 1) % 10 : digit
  })
  return { x, labels }
}

const methods: readonly { readonly method: Method; readonly wanted?: number }[] = [
  { method: standard() },
  { method: rlvi(), wanted: 1.05 },
  { method: posterior({ warmUp: 1 }), wanted: 1.05 },
  { method: coteaching({ assumed: 0.45 }), wanted: 2.1 },
  { method: jocor({ assumed: 0.45 }), wanted: 2.1 },
]

const train = images(SAMPLES, 1)
const validation = images(VALIDATION, 2)
const trainings = await Promise.all(
  methods.map(({ method }) =>
    openTraining({
      model: lenet(),
      method,
      executor: onnxExecutor(),
      data: memoryData({ ...train, batch: 32 }),
      validation: memoryEvaluation({ ...validation, batch: 500 }),
      epochs: ROUNDS + 1,
      optimizer: sgd({ momentum: 0.9, weightDecay: 1e-3 }),
      schedule: constantRate(0.01),
    }),
  ),
)
const runs = trainings.map((training) => training.epochs())
const wall = methods.map(() => [] as number[])
const cpu = methods.map(() => [] as number[])
say(`LeNet, ${SAMPLES} images, batch 32: an epoch with its validation, in turns`)
for (let round = 0; round <= ROUNDS; round++) {
  for (const [i, epochs] of runs.entries()) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    await epochs.next()
    const { user, system } = process.cpuUsage(before)
    // The first one also compiles.
    if (round === 0) continue
    wall[i].push(performance.now() - start)
    cpu[i].push((user + system) / 1000)
  }
}
const [standardWall, standardCpu] = [wall, cpu].map((times) => Math.min(...times[0]))
for (const [i, { method, wanted }] of methods.entries()) {
  const [least, processor] = [Math.min(...wall[i]), Math.min(...cpu[i])]
  const ratio = processor / standardCpu
  const goal =
    wanted === undefined ? '' : ` (wanted: at most ${wanted}; ${ratio <= wanted ? 'met' : 'NOT met'})`
  say(
    `  ${method.name}: ${ms(least)}, ${(least / standardWall).toFixed(2)} times the standard epoch; ` +
      `processor time ${ms(processor)}, ${ratio.toFixed(2)} times${goal}`,
  )
}
await Promise.all(trainings.map((training) => training.dispose()))
