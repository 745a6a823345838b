import type { Value } from '../graph/builder.js'

/** A tensor that is trained, by its full name. */
export interface Parameter {
  readonly name: string
  readonly value: Value
}

/** How gradients become new parameters. Adds its state and its update to the graph; the rate is a scalar of the graph. */
export interface Optimizer {
  readonly name: string
  /** For each parameter the gradient in the same place. Groups with other rates are further calls. */
  update(parameters: readonly Parameter[], gradients: readonly Value[], rate: Value): void
}
