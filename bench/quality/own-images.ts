import { onnxExecutor } from '@rlvi/nn'
import { type GivenUp, givenUp, posterior } from '@rlvi/nn/methods'
import { type Audit, audit, type DataSet, openRun, ownSettings } from '@rlvi/vision'

/** What is told of the labels of a set of one's own by training on it. */
export interface Trained {
  readonly level: number
  readonly interval: readonly [number, number] | undefined
  readonly named: readonly GivenUp[]
}

const executor = onnxExecutor({ threads: 1 })

/** Audited in three folds by LeNet, with the settings that suit the number of images. */
export async function auditOwn(data: DataSet, seed: number): Promise<Audit> {
  return await audit(data, {
    ...{ split: 'train', folds: 3, networks: 1, warmUp: false, method: 'posterior' },
    settings: ownSettings('lenet', data.train.labels.length),
    executor,
    seed,
  })
}

/** LeNet trained by `posterior` with the same settings. */
export async function trainOwn(data: DataSet, seed: number): Promise<Trained> {
  const settings = ownSettings('lenet', data.train.labels.length)
  const run = await openRun({ data, settings, method: posterior(), executor, warmUp: true, seed })
  for await (const _ of run.training.epochs());
  const { level, interval, arrays, clean } = run.training.state
  const { labels } = run.splits.training
  const known = { predictions: arrays.predictions, labels, classes: data.classes.length }
  await run.close()
  return { level: level!, interval, named: givenUp(known, clean) }
}
