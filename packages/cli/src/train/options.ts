import { type OptionsOf, readFlags } from '../terminal/flags.js'
import { UsageError } from '../terminal/usage.js'
import { checkResume } from './checkpoint.js'
import { type TrainFlags, trainFlags } from './flags.js'
import type { learningFlags } from './learning-flags.js'
import { assumingMethods } from './names.js'

type Read = OptionsOf<typeof trainFlags>

/** How a network learns. */
export interface LearningOptions extends Omit<OptionsOf<typeof learningFlags>, 'assume'> {
  /** The share of wrong labels that a method is to assume. */
  readonly assumed: number | undefined
}

export interface TrainOptions extends Omit<Read, 'assume' | 'noise' | 'rate'>, LearningOptions {
  readonly noise: { readonly type: NonNullable<Read['noise']>; readonly rate: number } | undefined
}

/** Everything that can be wrong with a command line by itself is found here, before any image is read. */
export function trainOptions(flags: TrainFlags): TrainOptions {
  const { assume: assumed, noise: type, rate, ...rest } = readFlags(trainFlags, flags)
  if (type === undefined && rate !== undefined) {
    const todo = 'add --noise symmetric, say'
    throw new UsageError('--rate', 'the kind of noise is needed too', String(rate), todo)
  }
  if (type !== undefined && rate === undefined)
    throw new UsageError('--noise', 'its rate is needed too', type, 'add --rate 0.2, say')
  checkResume(rest)
  const noise = type === undefined || rate === undefined ? undefined : { type, rate }
  checkExecutor(rest)
  // Noise that was made has a known share.
  if (noise === undefined) checkAssumed(rest.method, assumed)
  return { ...rest, assumed, noise }
}

/** What computes, as was asked for. */
export type ExecutorChoice = Pick<LearningOptions, 'executor' | 'precision' | 'device' | 'threads'>

/** Flags that only one executor has a use for. */
export function checkExecutor({ executor, precision, device, threads }: ExecutorChoice): void {
  const ofCard = { '--precision': precision, '--device': device }
  for (const [flag, value] of Object.entries(ofCard)) {
    if (executor === 'cuda' || value === undefined) continue
    throw new UsageError(flag, 'is for --executor cuda', String(value), 'leave it out')
  }
  if (executor !== 'onnx' && threads !== undefined)
    throw new UsageError('--threads', 'is for --executor onnx', String(threads), 'leave it out')
}

/** Some methods assume a share of wrong labels: someone must say which. */
export function checkAssumed(method: LearningOptions['method'], assumed: number | undefined): void {
  if (assumed !== undefined || !assumingMethods.includes(method)) return
  const todo = 'add --assume 0.2, say, or leave --method out'
  throw new UsageError('--method', `${method} needs a share of wrong labels to assume`, 'none', todo)
}
