/**
 * RLVI on CIFAR-10 epoch by epoch beside PyTorch: our trainer runs; PyTorch is given what it began each epoch with (parameters, P(good), the
 * order of the images and how each is moved), goes through that epoch by code of its own, and both are compared. Every epoch is so
 * compared on its own, so that rounding, which grows from step to step, does not hide a difference of method.
 *
 *   npx rlvi data fetch cifar10
 *   node bench/dist/lockstep.js [noise] [rate] [images] [epochs] [seed]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onnxExecutor, openTraining, resnet18, type TrainingData } from '@rlvi/nn'
import { rlvi } from '@rlvi/nn/methods'
import { cosine, sgd } from '@rlvi/nn/optim'
import { dataFolder, dataSplits, limited, loadData, type NoiseType } from '@rlvi/vision'
import { say } from './measure.js'
import { findPython, yardstickPath } from './yardstick.js'

const [noise = 'pairflip', rate = '0.45', images = '1600', epochs = '12', seed = '1'] = process.argv.slice(2)
/** The rate falls over the paper's 200 epochs, of which these are the first. */
const PAPER_EPOCHS = 200
const BATCH = 128
const LEARNING_RATE = 0.01
/** Networks are told apart by more than this many times what rounding alone does to one. */
const TIMES_ROUNDING = 5

/** How far PyTorch is from us after an epoch that both began alike. */
interface Compared {
  /** The largest difference of what was fed: pixels, moved and scaled. */
  readonly images: number
  /** |ours - theirs| / |theirs|, and what PyTorch has of itself when its parameters are off in the last digit. */
  readonly losses: number
  readonly roundedLosses: number
  /** The same of all parameters and running statistics, over the way that the epoch took them. */
  readonly parameters: number
  readonly roundedParameters: number
  /** The largest difference of P(good) made of our losses; the root mean square of that made of its own. */
  readonly clean: number
  readonly ownClean: number
  readonly threshold: number
  readonly accuracy: number
  readonly overfit: boolean
}

const python = findPython(['torch'])
if (python === undefined) {
  say('skipped: no Python with torch (see bench/README.md)')
  process.exit(0)
}
const child = spawn(python, [yardstickPath('lockstep.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array
/** A line that names the arrays, then their bytes. */
async function send(values: Readonly<Record<string, Numbers | number | boolean>>): Promise<void> {
  const arrays = Object.entries(values).filter((entry): entry is [string, Numbers] =>
    ArrayBuffer.isView(entry[1]),
  )
  const plain = Object.entries(values).filter(([, value]) => !ArrayBuffer.isView(value))
  const names = arrays.map(([name, array]) => ({ name, type: array.constructor.name, length: array.length }))
  child.stdin.write(`${JSON.stringify({ ...Object.fromEntries(plain), arrays: names })}\n`)
  for (const [, { buffer, byteOffset, byteLength }] of arrays) {
    if (!child.stdin.write(new Uint8Array(buffer, byteOffset, byteLength).slice()))
      await once(child.stdin, 'drain')
  }
}

const data = limited(await loadData(dataFolder('cifar10')), Number(images), Number(seed))
const splits = dataSplits(data, {
  batch: BATCH,
  seed: Number(seed),
  noise: { type: noise as NoiseType, rate: Number(rate) },
})
const { training: source, validation } = splits

/** The values of the epoch's images as they are fed, in the order of its steps. */
let fed: Float32Array[] = []
const watched: TrainingData = {
  ...source,
  async *batches(epoch, start) {
    fed = []
    for await (const batch of source.batches(epoch, start)) {
      fed.push(batch.x.slice())
      yield batch
    }
  },
}
const training = await openTraining({
  model: resnet18(),
  method: rlvi(),
  executor: onnxExecutor(),
  data: watched,
  validation,
  epochs: Number(epochs),
  optimizer: sgd({ momentum: 0.9, weightDecay: 5e-4 }),
  schedule: cosine(LEARNING_RATE, PAPER_EPOCHS),
  seed: Number(seed),
})
const parameters = async (): Promise<ReadonlyMap<string, Float32Array>> =>
  new Map([...(await training.weights())].map(([name, { values }]) => [name, values as Float32Array]))
const named = (prefix: string, values: ReadonlyMap<string, Float32Array>): Record<string, Float32Array> =>
  Object.fromEntries([...values].map(([name, array]) => [`${prefix}.${name}`, array]))

const heldOut: { readonly x: Float32Array; readonly y: Int32Array }[] = []
for await (const { x, y } of validation.batches()) heldOut.push({ x: x.slice(), y: y.slice() })
const joined = (parts: readonly Float32Array[]): Float32Array => {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
const given = Int32Array.from(source.labels)
await send({
  batch: BATCH,
  decay: 5e-4,
  given,
  held: joined(heldOut.map(({ x }) => x)),
  heldLabels: Int32Array.from(heldOut.flatMap(({ y }) => [...y])),
})

const head = ['images', 'losses', 'rounding', 'step', 'rounding', 'P(good)', 'own', 'threshold', '']
say(
  `ResNet18, RLVI, ${images} images of CIFAR-10, ${noise} ${rate}, seed ${seed}: how far PyTorch is from us, epoch by epoch`,
)
say(`epoch${head.map((text) => text.padStart(9)).join('')}  accuracy        truncates`)
let isSame = true
let before = { weights: await parameters(), clean: training.state.clean.slice() }
for await (const { epoch, rates, validation: accuracy } of training.epochs()) {
  const order: number[] = []
  const moves: number[] = []
  let pixels: Uint8Array = new Uint8Array()
  for await (const { x, indices } of source.stored!(epoch, 0)) {
    order.push(...indices)
    moves.push(...(x.moves ?? []))
    pixels = joinBytes(pixels, x.images.pixels, x.samples)
  }
  const after = { weights: await parameters(), clean: training.state.clean.slice() }
  const { losses, clean, threshold, overfit } = training.state
  await send({
    ...named('p', before.weights),
    ...named('after', after.weights),
    rate: Object.values(rates)[0],
    order: Int32Array.from(order),
    moves: Int32Array.from(moves),
    pixels,
    fed: joined(fed),
    cleanBefore: before.clean,
    losses,
    clean,
    threshold,
    overfit,
    accuracy: accuracy ?? Number.NaN,
  })
  const { value } = await answers.next()
  if (value === undefined) throw new Error('PyTorch ended early')
  const compared = JSON.parse(value) as Compared
  const {
    images: fedApart,
    losses: l,
    roundedLosses,
    parameters: p,
    roundedParameters,
    clean: c,
    ownClean,
  } = compared
  const numbers = [fedApart, l, roundedLosses, p, roundedParameters, c, ownClean, compared.threshold]
  const epochIsSame =
    fedApart < 1e-6 &&
    c < 1e-12 &&
    compared.threshold < 1e-12 &&
    compared.overfit === overfit &&
    p < TIMES_ROUNDING * roundedParameters
  isSame &&= epochIsSame
  say(
    `${String(epoch).padStart(5)}${numbers.map((number) => number.toExponential(1).padStart(9)).join('')}` +
      `${threshold.toFixed(4).padStart(9)}  ${(accuracy ?? 0).toFixed(4)}, ${compared.accuracy.toFixed(4)}  ${overfit ? 'yes' : 'no'}${epochIsSame ? '' : ' !'}`,
  )
  before = after
}
child.stdin.end()
await training.dispose()
await splits.close()
say(isSame ? 'the same in every epoch but for rounding' : 'NOT the same in every epoch (marked !)')

function joinBytes(all: Uint8Array, stored: Uint8Array, samples: Int32Array): Uint8Array {
  const size = 3 * 32 * 32
  const out = new Uint8Array(all.length + samples.length * size)
  out.set(all)
  samples.forEach((sample, k) => {
    out.set(stored.subarray(sample * size, (sample + 1) * size), all.length + k * size)
  })
  return out
}
