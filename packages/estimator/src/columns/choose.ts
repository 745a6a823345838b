import { RlviError } from 'rlvi'
import { checkChosen } from '../fit/limits.js'
import { checkName } from '../names.js'
import { OptionError, type Words } from '../words.js'

/** Which columns take part, by name. */
export interface Choice {
  readonly target?: string | undefined
  readonly features?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/** The features in the table's order: those that are named, or all but the target and those that are excluded. */
export function chooseFeatures(names: readonly string[], choice: Choice, words: Words): string[] {
  const { target, features, exclude = [] } = choice
  if (target !== undefined) checkName(words.option('target'), target, names, words.holder)
  for (const name of features ?? []) checkName(words.option('features'), name, names, words.holder)
  for (const name of exclude) checkName(words.option('exclude'), name, names, words.holder)
  if (target !== undefined && features?.includes(target)) {
    throw new OptionError(
      words.option('features'),
      'the target cannot explain itself',
      target,
      'leave it out',
    )
  }
  const chosen = names.filter(
    (name) =>
      name !== target && !exclude.includes(name) && (features === undefined || features.includes(name)),
  )
  if (chosen.length === 0) {
    const todo = `is the ${words.holder} one column wide?`
    throw new RlviError(words.source, 'at least one feature is needed', names, todo)
  }
  checkChosen(chosen.length, words)
  return chosen
}
