/**
 * MNIST as the code behind the paper has it, where that differs from what the methods' authors and the paper say: how much of the distance
 * between the paper's table and ours comes from that. LeNet; test accuracy after 100 epochs, or, where the rate is `cumulative`, after the 40th,
 * from which on it is below 1e-9. A cell that ends in `own` has the method as it is here, so that only the rate is otherwise. On two threads.
 *
 *   npx rlvi data fetch mnist
 *   node bench/dist/quality/as-released.js --runs 3 --seed 0 --only jocor:instance:0.45,rlvi:instance:0.45:cumulative:own
 */
import { lenet, onnxExecutor, openTraining } from '@rlvi/nn'
import { coteaching, jocor, type Method, rlvi, standard, usdnl } from '@rlvi/nn/methods'
import { cumulativeDecay, linearDecay, sgd } from '@rlvi/nn/optim'
import {
  assumedLevel,
  dataSplits,
  loadData,
  type NetworkMethod,
  type NoiseType,
  settingsFor,
} from '@rlvi/vision'
import { say } from '../measure.js'
import { workOff } from './pool.js'
import { isProgram, runOptions, table } from './program.js'

/** A cell of the table, with a seed. */
interface Task {
  readonly method: NetworkMethod
  readonly noise: NoiseType
  readonly rate: number
  readonly seed: number
  /** The released schedule: every epoch multiplies the rate of the last one by the factor that was meant for the first. */
  readonly cumulative: boolean
  /** The method as it is here, and not as it was released. */
  readonly own: boolean
}

/** Epochs until that schedule has come to a halt. */
const HALT = 40

/** What the released code does otherwise. */
const differences: Readonly<Partial<Record<NetworkMethod, string>>> = {
  jocor: "the networks' disagreement is one number for the batch, which selects nothing",
  coteaching: 'the mean of the kept losses is divided by their number once more',
  usdnl: 'dropout stays on when the network is measured',
  rlvi: 'losses are divided by 2 sqrt(mean x median) where that is above 1, as in the first public code',
}

const methodOf = (name: NetworkMethod, assumed: number, own: boolean): Method => {
  switch (name) {
    case 'jocor':
      return jocor({ assumed, batchAgreement: !own })
    case 'coteaching':
      return coteaching({ assumed, dividesTwice: !own })
    case 'usdnl':
      return usdnl({ assumed, dropoutAlways: !own })
    case 'rlvi':
      return rlvi({ scaledLosses: !own })
    default:
      return standard()
  }
}

export async function work({ method: name, noise, rate, seed, cumulative, own }: Task): Promise<number> {
  const data = await loadData('mnist')
  const settings = settingsFor(data.name, data.train)
  const splits = dataSplits(data, { batch: settings.batch, seed, noise: { type: noise, rate } })
  const method = methodOf(name, assumedLevel(noise, rate), own)
  const { rate: dropout = 0, always: dropoutAlways = false } = method.dropout ?? {}
  const training = await openTraining({
    model: lenet({ dropout, dropoutAlways }),
    method,
    executor: onnxExecutor({ threads: 1 }),
    data: splits.training,
    validation: splits.validation,
    epochs: cumulative ? HALT : settings.epochs,
    seed,
    optimizer: sgd({ momentum: 0.9, weightDecay: settings.weightDecay }),
    schedule: (cumulative ? cumulativeDecay : linearDecay)(settings.learningRate),
  })
  for await (const { epoch, validation } of training.epochs())
    if (epoch % 20 === 0)
      say(`${name} ${noise} ${rate} seed ${seed}: epoch ${epoch}, validation ${validation}`)
  const { accuracy } = await training.evaluate(splits.test!)
  await training.dispose()
  await splits.close()
  return accuracy
}

const percent = (values: readonly number[]): string => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
  return `${(100 * mean).toFixed(2)}${values.length > 1 ? ` ± ${(100 * sd).toFixed(2)}` : ''}`
}

async function main(): Promise<void> {
  const { runs, seed, only } = runOptions(3)
  const wanted = only.length > 0 ? only : ['jocor:instance:0.45', 'standard:instance:0.45:cumulative']
  const cells = wanted.map((text): Omit<Task, 'seed'> => {
    const [method, noise, rate, ...words] = text.split(':')
    return {
      method: method as NetworkMethod,
      noise: noise as NoiseType,
      rate: Number(rate),
      cumulative: words.includes('cumulative'),
      own: words.includes('own'),
    }
  })
  const tasks = cells.flatMap((cell) =>
    Array.from({ length: runs }, (_, run) => ({ ...cell, seed: seed + run })),
  )
  const accuracies = await Promise.all(await workOff(import.meta.url, work, tasks))
  const rows = cells.map(({ method, noise, rate, cumulative, own }, i) => {
    const reached = accuracies.slice(i * runs, (i + 1) * runs)
    return [
      `${own ? 'our ' : ''}${method}, ${noise} ${100 * rate} %${cumulative ? ', cumulative rate' : ''}`,
      percent(reached),
      reached.map((accuracy) => (100 * accuracy).toFixed(2)).join(', '),
    ]
  })
  table(['as released', 'test accuracy', 'each'], rows)
  for (const method of new Set(cells.filter(({ own }) => !own).map((cell) => cell.method)))
    if (differences[method] !== undefined) say(`${method}: ${differences[method]}`)
}

if (isProgram(import.meta.url)) await main()
