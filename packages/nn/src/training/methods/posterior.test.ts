import { describe, expect, it } from 'vitest'
import { cudaExecutor } from '../../executors/cuda/cuda.js'
import { cudaDevices } from '../../executors/cuda/run/devices.js'
import type { Executor } from '../../executors/executor.js'
import { onnxExecutor } from '../../executors/onnx/onnx.js'
import { referenceExecutor } from '../../executors/reference/reference.js'
import type { Value } from '../../graph/builder.js'
import { add, reshape, slice } from '../../graph/values.js'
import type { Model } from '../../models/model.js'
import { constantRate } from '../../optim/schedules.js'
import { sgd } from '../../optim/sgd.js'
import { blobs, tiny } from '../../testing/blobs.js'
import { expectNear } from '../../testing/golden.js'
import { memoryData } from '../data.js'
import { openTraining } from '../train.js'
import { sharesOfOthers } from './mixing.js'
import { type PosteriorOptions, posterior } from './posterior.js'
import { standard } from './standard.js'
import { posteriorOf, trueLabels } from './true-label.js'

const K = 3
const pictures = [
  [2, 0, -1],
  [1.5, 0.5, 0],
  [-1, 2, 0.3],
  [0.2, 1, -0.4],
  [0, -1, 1.2],
  [0.1, 0.4, 2],
  [1, 0.9, -2],
]
const labels = [0, 1, 1, 2, 2, 0, 1]
const rate = 0.3

/** A network whose logits are its picture plus a bias. */
const biased: Model = {
  name: 'biased',
  image: [1, 1, K],
  classes: K,
  logits(x: Value) {
    const bias = x.graph.variable('bias', [K], 'parameter', { kind: 'fill', value: 0 })
    return add(reshape(x, [x.shape[0], K]), bias)
  },
}

/** Enough of each class that they are mixed, each of them moved a little. */
const many: Known = {
  pictures: Array.from({ length: 100 * K }, (_, i) =>
    pictures[i % pictures.length].map((value, c) => value + Math.sin(3 * i + c)),
  ),
  labels: Array.from({ length: 100 * K }, (_, i) => labels[i % labels.length]),
}

interface Known {
  readonly pictures: readonly (readonly number[])[]
  readonly labels: readonly number[]
}
type Trained = Required<PosteriorOptions> & { readonly epochs: number }

/** The formulas by plain loops: the whole batch in one step an epoch, in an order that only mixing depends on. */
function byLoops(
  { epochs, warmUp, memory, temperature, mixing }: Trained,
  { pictures, labels }: Known,
  orders: number[][],
) {
  const bias = [0, 0, 0]
  const averaged = pictures.map(() => [0, 0, 0])
  let habits: number[][] = []
  let targets: number[][] = labels.map((y) => [0, 1, 2].map((c) => (c === y ? 1 : 0)))
  let level = 0
  let right: number[] = []
  let most = 0
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const gradient = [0, 0, 0]
    const order = orders[epoch - 1]
    const shares = sharesOfOthers(Int32Array.from(order), epoch, most)
    const before = averaged.map((row) => [...row])
    for (const [place, i] of order.entries()) {
      const [share, j] = [shares[place], order[order.length - 1 - place]]
      const raw = pictures[i].map((value, c) =>
        Math.exp((1 - share) * value + share * pictures[j][c] + bias[c]),
      )
      const total = raw[0] + raw[1] + raw[2]
      const alone = raw.map((value, c) => Math.max(0, value / total - share * before[j][c]))
      for (let c = 0; c < K; c++) {
        gradient[c] +=
          (raw[c] / total - (1 - share) * targets[i][c] - share * targets[j][c]) / pictures.length
        const p = alone[c] / (alone[0] + alone[1] + alone[2])
        // Plain means as long as they give the new one more than 1 - memory; all of the warm-up then counts as one.
        const count = epoch <= warmUp ? epoch : epoch - Math.max(0, warmUp - 1)
        averaged[i][c] =
          1 / count > 1 - memory
            ? (averaged[i][c] * (count - 1) + p) / count
            : memory * averaged[i][c] + (1 - memory) * p
      }
    }
    for (let c = 0; c < K; c++) bias[c] -= rate * gradient[c]
    const counts = [0, 1, 2].map((c) => [0, 1, 2].map((y) => (c === y ? 1 : 0)))
    for (const [i, row] of averaged.entries()) {
      const sure = Math.max(...row)
      counts[row.indexOf(sure)][labels[i]] += sure
    }
    habits = counts.map((row, c) => {
      // How often labels contradict what is predicted to be c, and the surest fifth of that, of 50 at least.
      const own = averaged.flatMap((p, i) =>
        p.indexOf(Math.max(...p)) === c ? [{ sure: p[c], isWrong: labels[i] !== c }] : [],
      )
      own.sort((a, b) => b.sure - a.sure)
      const surest = own.slice(0, Math.max(50, Math.ceil(own.length / 5)))
      const often = (of: typeof own): number => of.filter(({ isWrong }) => isWrong).length / of.length
      const ratio = often(own) > 0 ? Math.min(1, often(surest) / often(own)) : 1
      const belief = Math.min(1, Math.max(0, (ratio - 0.25) / 0.2))
      const others = row.map(
        (count) => (count / (row[0] + row[1] + row[2])) * (belief + (1 - belief) * ratio),
      )
      return others.map((share, y) => (y === c ? 1 - others[(c + 1) % K] - others[(c + 2) % K] : share))
    })
    const posteriors = averaged.map((row, i) => {
      const joint = row.map((p, c) => Math.exp(Math.log(p) / temperature) * habits[c][labels[i]])
      return joint.map((value) => value / (joint[0] + joint[1] + joint[2]))
    })
    // Of three classes a wrong label has one wrong name or two, in effect 1 to 2.
    const wrong = habits.map((row, c) => row.filter((p, y) => y !== c && p > 0))
    const each = wrong.map((row) => row.reduce((sum, p) => sum + p, 0))
    const names = wrong.map((row, c) =>
      row.reduce((sum, p) => sum - (p / each[c]) * Math.log(p / each[c]), 0),
    )
    const all = each[0] + each[1] + each[2]
    const scatter = Math.exp(names.reduce((sum, name, c) => sum + (each[c] / all) * name, 0)) - 1
    const doubted = posteriors.reduce((sum, row, i) => sum + 1 - row[labels[i]], 0) / labels.length
    if (epoch > warmUp) most = mixing * scatter * Math.min(1, doubted / 0.1)
    right = posteriors.map((row, i) => row[labels[i]])
    level = 1 - right.reduce((sum, p) => sum + p, 0) / right.length
    if (epoch >= warmUp) targets = posteriors
  }
  return { bias, averaged, habits, level, right }
}

const { devices, libraries } = await cudaDevices()
const isCard = devices.length > 0 && libraries.every(({ problem }) => problem === undefined)
const executors: readonly (readonly [string, () => Executor, number])[] = [
  ['reference', () => referenceExecutor(), 1e-6],
  ['onnx', () => onnxExecutor(), 1e-5],
  ...(isCard ? [['cuda', () => cudaExecutor({ precision: 'fp32' }), 1e-5] as const] : []),
]

describe.each(executors)('posterior on %s', (_, executor, tolerance) => {
  const usual = { memory: 0.8, temperature: 0.5, mixing: 0 }
  it.each([
    { ...usual, epochs: 1, warmUp: 1 },
    { ...usual, epochs: 2, warmUp: 0 },
    { ...usual, epochs: 4, warmUp: 1 },
    { ...usual, epochs: 9, warmUp: 2, memory: 0.6, temperature: 0.9 },
    { ...usual, epochs: 7, warmUp: 2, mixing: 0.5 },
  ])(
    'is what plain loops over the formulas give: $epochs epochs, warm-up $warmUp, memory $memory, temperature $temperature, mixing $mixing',
    async (trained) => {
      const { epochs, ...settings } = trained
      const known = settings.mixing > 0 ? many : { pictures, labels }
      const method = posterior(settings)
      const orders: number[][] = []
      const training = await openTraining({
        model: biased,
        method: {
          ...method,
          feeds: (state, batch) => {
            orders.push([...batch.indices])
            return method.feeds(state, batch)
          },
        },
        executor: executor(),
        data: memoryData({
          x: Float32Array.from(known.pictures.flat()),
          labels: known.labels,
          batch: known.pictures.length,
        }),
        epochs,
        optimizer: sgd(),
        schedule: constantRate(rate),
      })
      for await (const _ of training.epochs());
      const expected = byLoops(trained, known, orders)
      const { arrays, clean, level } = training.state
      expectNear(arrays.predictions, expected.averaged.flat(), tolerance, 'averaged predictions')
      expectNear(arrays.habits, expected.habits.flat(), tolerance, 'T')
      expectNear(clean, expected.right, tolerance, 'P(right)')
      expect(Math.abs(level! - expected.level)).toBeLessThan(tolerance)
      const { values } = (await training.weights()).get('bias')!
      expectNear(values as Float32Array, expected.bias, tolerance, 'the bias, which shows the gradient')
      await training.dispose()
    },
  )
})

const rowsOf = (values: Float64Array, length: number): number[][] =>
  Array.from({ length: values.length / length }, (_, i) => [...values.subarray(i * length, (i + 1) * length)])

describe('the true label', () => {
  const hot = (classes: number, of: readonly number[]): number[] =>
    of.flatMap((c) => Array.from({ length: classes }, (_, k) => (k === c ? 1 : 0)))

  it('is the given one where T is the identity and predictions are sure of it, and all labels are right', () => {
    const known = { predictions: hot(K, labels), labels, classes: K }
    const { habits, posterior: found, clean, level } = trueLabels(known)
    expect([...habits]).toEqual(hot(K, [0, 1, 2]))
    expect([...found]).toEqual(hot(K, labels))
    expect([...clean, level]).toEqual([...labels.map(() => 1), 0])
  })

  it('permuting classes permutes T and the posterior', () => {
    const predictions = pictures.flatMap((row) => {
      const raw = row.map(Math.exp)
      return raw.map((value) => value / (raw[0] + raw[1] + raw[2]))
    })
    const to = [2, 0, 1]
    const moved = predictions.map((_, at) => predictions[Math.floor(at / K) * K + to.indexOf(at % K)])
    const one = trueLabels({ predictions, labels, classes: K }, { temperature: 0.5 })
    const other = trueLabels(
      { predictions: moved, labels: labels.map((y) => to[y]), classes: K },
      { temperature: 0.5 },
    )
    for (let c = 0; c < K; c++)
      for (let y = 0; y < K; y++)
        expect(other.habits[to[c] * K + to[y]]).toBeCloseTo(one.habits[c * K + y], 14)
    const [rows, movedRows] = [rowsOf(one.posterior, K), rowsOf(other.posterior, K)]
    rows.forEach((row, i) => {
      row.forEach((p, c) => {
        expect(movedRows[i][to[c]]).toBeCloseTo(p, 12)
      })
    })
    expect(other.level).toBeCloseTo(one.level, 12)
  })

  it('a class that nothing is predicted to be is taken at its word', () => {
    const known = { predictions: hot(K, [0, 0, 1]), labels: [0, 2, 1], classes: K }
    const { habits, posterior: found } = trueLabels(known)
    expect([...habits.subarray(2 * K)]).toEqual([0, 0, 1])
    // Two of class 0, one of them called 2, and one for its own name.
    expect([...habits.subarray(0, K)]).toEqual([2 / 3, 0, 1 / 3])
    expect(rowsOf(found, K)[1]).toEqual([1, 0, 0])
  })

  it('a label that nothing leads to is taken as it is', () => {
    const into = new Float64Array(2)
    posteriorOf(hot(2, [0]), 0, 1, { habits: [1, 0, 0, 1], temperature: 0.5, classes: 2 }, into, 0)
    expect([...into]).toEqual([0, 1])
  })
})

async function measured(wrong: number, method = posterior()) {
  const { x, labels: given, corrupt } = blobs(600, 5, wrong)
  const clear = blobs(400, 6)
  const training = await openTraining({
    model: tiny(),
    method,
    executor: onnxExecutor(),
    data: memoryData({ x, labels: given, corrupt, batch: 16 }),
    epochs: 20,
    optimizer: sgd({ momentum: 0.9 }),
    schedule: constantRate(0.02),
  })
  for await (const _ of training.epochs());
  const accuracy = (await training.evaluate(evaluationOf(clear))).accuracy
  const { level, clean, history, arrays } = training.state
  await training.dispose()
  return { accuracy, level: level!, clean, last: history.at(-1)!, habits: arrays.habits }
}

function evaluationOf({ x, labels: y }: ReturnType<typeof blobs>) {
  return {
    samples: y.length,
    async *batches() {
      yield { x, y }
    },
  }
}

describe('posterior on unusual data', () => {
  it('of two classes finds which labels are wrong', async () => {
    const { x, labels: three, corrupt } = blobs(600, 7)
    // The first two corners, one label in five exchanged.
    const some = [...three.keys()].filter((i) => three[i] < 2)
    const wrong = some.map((_, k) => (k % 5 === 0 ? 1 : 0))
    const training = await openTraining({
      model: { ...tiny(), classes: 2, logits: (value) => slice(tiny().logits(value), 1, 0, 2) },
      method: posterior(),
      executor: onnxExecutor(),
      data: memoryData({
        x: Float32Array.from(some.flatMap((i) => [...x.subarray(36 * i, 36 * (i + 1))])),
        labels: some.map((i, k) => (three[i] + wrong[k]) % 2),
        corrupt: wrong,
        batch: 16,
      }),
      epochs: 12,
      optimizer: sgd({ momentum: 0.9 }),
      schedule: constantRate(0.02),
    })
    for await (const _ of training.epochs());
    expect(corrupt.every((bad) => bad === 0)).toBe(true)
    expect(Math.abs(training.state.level! - 0.2)).toBeLessThan(0.03)
    expect(training.state.history.at(-1)?.corruptCaught).toBeGreaterThan(0.95)
    await training.dispose()
  })

  it('has finite numbers where a class has no samples', async () => {
    const { x, labels: given } = blobs(60, 8)
    const training = await openTraining({
      model: tiny(),
      method: posterior({ warmUp: 1 }),
      executor: referenceExecutor(),
      data: memoryData({ x, labels: given.map((label) => label % 2), batch: 16 }),
      epochs: 3,
      optimizer: sgd({ momentum: 0.9 }),
      schedule: constantRate(0.02),
    })
    for await (const _ of training.epochs());
    const { arrays, clean, level } = training.state
    expect(arrays.habits.every(Number.isFinite)).toBe(true)
    for (let c = 0; c < 3; c++)
      expect([0, 1, 2].reduce((sum, y) => sum + arrays.habits[3 * c + y], 0)).toBeCloseTo(1, 12)
    for (const p of clean) expect(p).toBeGreaterThanOrEqual(0)
    expect(level).toBeLessThanOrEqual(1)
    await training.dispose()
  })
})

describe('posterior on small pictures', () => {
  it('finds the habit of the noise, its level and the wrong labels', async () => {
    const { accuracy, level, last, habits } = await measured(0.35)
    const plain = await measured(0.35, standard())
    expect(accuracy).toBeGreaterThan(plain.accuracy)
    expect(Math.abs(level - 0.35)).toBeLessThan(0.05)
    expect(last.corruptCaught).toBeGreaterThan(0.9)
    expect(last.cleanKept).toBeGreaterThan(0.9)
    // Labels were moved on by one: the way back, by two, hardly ever happens.
    for (let c = 0; c < 3; c++) {
      expect(habits[3 * c + ((c + 1) % 3)]).toBeGreaterThan(0.2)
      expect(habits[3 * c + ((c + 2) % 3)]).toBeLessThan(0.05)
    }
  })

  it('leaves clean labels alone', async () => {
    const { accuracy, level, clean } = await measured(0)
    expect(level).toBeLessThan(0.01)
    expect(clean.filter((p) => p > 0.5).length).toBeGreaterThan(590)
    expect(accuracy).toBeGreaterThanOrEqual((await measured(0, standard())).accuracy - 0.005)
  })
})
