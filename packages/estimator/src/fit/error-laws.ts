import { OptionError, type Words } from '../words.js'
import { type MethodName, type ModelName, modelNames } from './methods.js'

/** The laws of good rows' errors that can be asked for; `auto` is the one that the rows speak for. */
export const errorLawChoices = [
  'auto',
  'normal',
  'student',
  'light',
  'skewed',
  'varying',
  'poisson',
  'negative-binomial',
] as const
/** One of them. */
export type ErrorLawChoice = (typeof errorLawChoices)[number]
/** The recommended one. */
export const defaultErrors: ErrorLawChoice = 'auto'

const measured: readonly ModelName[] = ['linear', 'mean', 'covariance', 'pca']

/** Which models a law is for. Labels are right or wrong: there is no law to choose. */
const modelsOf: Readonly<Record<ErrorLawChoice, readonly ModelName[]>> = {
  auto: modelNames,
  normal: measured,
  student: measured,
  light: ['linear'],
  skewed: measured,
  varying: ['linear'],
  poisson: ['poisson'],
  'negative-binomial': ['poisson'],
}

/** Refuses a law that the method or the model has no use for. `model` is undefined while it is still to be chosen. */
export function checkErrors(
  errors: ErrorLawChoice | undefined,
  method: MethodName,
  model: ModelName | undefined,
  words: Words,
): void {
  if (errors === undefined) return
  if (method !== 'calibrated') {
    const rule = `is for ${words.option('method', 'calibrated')} only`
    throw new OptionError(words.option('errors'), rule, method, 'leave it out')
  }
  if (model === undefined || modelsOf[errors].includes(model)) return
  const rule = `is for ${words.option('model', modelsOf[errors].join(', '))} only`
  const own = errorLawChoices.filter((law) => modelsOf[law].includes(model))
  const todo =
    own.length > 1 ? `${words.option('model', model)} takes ${own.join(', ')}` : 'leave it out for labels'
  throw new OptionError(words.option('errors', errors), rule, model, todo)
}
