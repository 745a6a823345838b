import { habitsOf } from './habits.js'
import { accuracyOf, habitsIn, type Trained } from './trained.js'

/** The document of `rlvi train --json`. */
export function toJson(trained: Trained): object {
  const { data, settings, options, run, lines } = trained
  const { noise, method, seed } = options
  const { indices, test } = run.splits
  const habits = habitsIn(trained)
  return {
    dataset: data.name,
    network: settings.network,
    method,
    noise: noise?.type ?? null,
    rate: noise?.rate ?? null,
    seed,
    images: { train: indices.train.length, validation: indices.validation.length, test: test?.samples ?? 0 },
    ...accuracyOf(trained),
    level: run.training.state.level ?? null,
    interval: run.training.state.interval ?? null,
    habits: habits === undefined ? null : habitsOf(habits),
    epochs: lines,
  }
}
