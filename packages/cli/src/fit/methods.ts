import type { MethodName, ModelName } from '@rlvi/estimator'
import * as estimator from '@rlvi/estimator'
import { flagWords } from '../words.js'

export {
  defaultMethod,
  type MethodName,
  type ModelName,
  methodNames,
  modelNames,
  supervisedModels,
} from '@rlvi/estimator'

/** Refuses what can be refused before any file is read. `model` is undefined while it is still to be chosen. */
export function checkMethod(
  name: MethodName,
  model: ModelName | undefined,
  assumed: number | undefined,
): void {
  estimator.checkMethod(name, model, assumed, flagWords(''))
}
