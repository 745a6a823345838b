// A training as a process of its own, to be killed: node training-process.mjs CHECKPOINT RESULT EPOCHS
import { readFile, writeFile } from 'node:fs/promises'
import { argv, stdout } from 'node:process'
import { writeAtomic } from '@rlvi/io'
import { seeded } from 'rlvi/random'
import {
  memoryData,
  memoryEvaluation,
  openTraining,
  referenceExecutor,
  writeSafetensors,
} from '../../dist/index.js'
import { batchNorm, flatten, linear } from '../../dist/layers.js'
import { rlvi } from '../../dist/methods.js'
import { relu } from '../../dist/ops.js'
import { constantRate, sgd } from '../../dist/optim.js'

const [, , checkpoint, result, epochs] = argv
const samples = 300
const uniform = seeded(1, 'samples')
const x = Float32Array.from({ length: samples * 9 }, () => uniform() - 0.5)
const labels = Int32Array.from({ length: samples }, (_, i) =>
  uniform() < 0.3 ? 1 : x[9 * i] + x[9 * i + 1] > 0 ? 1 : 0,
)
const training = await openTraining({
  model: {
    name: 'small',
    image: [1, 3, 3],
    classes: 2,
    logits: (images) => linear(relu(batchNorm(linear(flatten(images), 'in', 8), 'bn')), 'out', 2),
  },
  method: rlvi(),
  executor: referenceExecutor({ precision: 'float32' }),
  data: memoryData({ x, labels, batch: 2 }),
  validation: memoryEvaluation({ x: x.subarray(0, 450), labels: labels.subarray(0, 50), batch: 25 }),
  epochs: Number(epochs),
  optimizer: sgd({ momentum: 0.9, weightDecay: 1e-3 }),
  schedule: constantRate(0.02),
  // Also within the epochs, as often as possible.
  checkpointSeconds: 0,
  checkpoint: {
    read: () => readFile(checkpoint).catch(() => undefined),
    write: (bytes) => writeAtomic(checkpoint, bytes),
  },
  onProgress: ({ epoch, step }) => stdout.write(`${epoch} ${step}\n`),
})
for await (const { epoch } of training.epochs()) stdout.write(`${epoch} done\n`)
const { clean, losses, threshold, history } = training.state
const shape = [samples]
const kept = new Map([
  ...(await training.weights()),
  ['clean', { shape, values: clean }],
  ['losses', { shape, values: losses }],
])
const facts = history.map(({ seconds, testSeconds, ...rest }) => rest)
await writeFile(
  result,
  writeSafetensors(kept, { threshold: String(threshold), history: JSON.stringify(facts) }),
)
