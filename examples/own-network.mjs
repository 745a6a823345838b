/** A network of one's own, trained on small pictures of which 40 % have the next class's label: plainly, by RLVI, and by `posterior`. */
import { memoryData, memoryEvaluation, onnxExecutor, openTraining } from '@rlvi/nn'
import { conv2d, flatten, linear, maxPool } from '@rlvi/nn/layers'
import { posterior, rlvi, standard } from '@rlvi/nn/methods'
import { relu } from '@rlvi/nn/ops'
import { constantRate, sgd } from '@rlvi/nn/optim'
import { seeded } from 'rlvi/random'

const model = {
  name: 'own',
  image: [1, 12, 12],
  classes: 4,
  logits(x) {
    const h = maxPool(relu(conv2d(x, 'conv', { channels: 8, kernel: 3 })), 2)
    return linear(relu(linear(flatten(h), 'hidden', 64)), 'out', 4)
  },
}

/** A picture of class k is noise with a bright square in corner k. */
function pictures(count, wrong, seed) {
  const uniform = seeded(seed, 'pictures')
  const x = Float32Array.from({ length: count * 144 }, () => 2 * uniform() - 1)
  const corrupt = Uint8Array.from({ length: count }, () => (uniform() < wrong ? 1 : 0))
  const labels = Int32Array.from(corrupt, (bad, i) => {
    const corner = Math.floor(4 * uniform())
    const start = i * 144 + 84 * (corner >> 1) + 7 * (corner & 1)
    for (let row = 0; row < 5; row++)
      for (let column = 0; column < 5; column++) x[start + 12 * row + column] += 0.4
    return (corner + bad) % 4
  })
  return { x, labels, corrupt }
}

const percent = (share) => `${Math.round(100 * share)} %`
const train = pictures(2000, 0.4, 1)
for (const method of [standard(), rlvi(), posterior()]) {
  const training = await openTraining({
    model,
    method,
    executor: onnxExecutor(),
    data: memoryData({ ...train, batch: 32 }),
    validation: memoryEvaluation({ ...pictures(500, 0.4, 2), batch: 100 }),
    test: memoryEvaluation({ ...pictures(1000, 0, 3), batch: 100 }),
    epochs: 30,
    optimizer: sgd({ momentum: 0.9 }),
    schedule: constantRate(0.01),
  })
  let last
  for await (const metrics of training.epochs()) last = metrics
  console.log(`${method.name}: ${percent(last.test)} of clean pictures right`)
  if (last.level !== undefined)
    console.log(`wrong labels: ${percent(last.level)}; found ${percent(last.corruptCaught)} of them`)
  await training.dispose()
}
