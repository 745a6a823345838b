import type { ErrorLaw } from 'rlvi'
import type { Encoding } from '../encoding/encoding.js'

type Numbers = readonly number[]

/** A model's numbers, in the units of the table that it was fitted to; coefficients in the order of the design. */
export type Fitted =
  | { readonly model: 'linear'; readonly params: { intercept: number; coefficients: Numbers; scale: number } }
  | { readonly model: 'logistic' | 'poisson'; readonly params: { intercept: number; coefficients: Numbers } }
  | { readonly model: 'softmax'; readonly params: { intercepts: Numbers; coefficients: readonly Numbers[] } }
  | { readonly model: 'mean'; readonly params: { mean: Numbers; scale: Numbers } }
  | { readonly model: 'covariance'; readonly params: { mean: Numbers; covariance: readonly Numbers[] } }
  | {
      readonly model: 'pca'
      readonly params: { mean: Numbers; components: readonly Numbers[]; variances: Numbers }
    }

/** A fitted model as plain data: what `writeModel` writes, `readModel` reads and `predictTable` applies. */
export interface SavedModel {
  readonly format: 'rlvi-model'
  readonly version: 1
  readonly method: string
  /** Rows that the fit used. */
  readonly rows: number
  readonly features: readonly Encoding[]
  /** The texts that stood for missing values, where they were not the usual ones. */
  readonly missing?: readonly string[] | undefined
  readonly target?: { readonly name: string; readonly classes?: readonly string[] | undefined } | undefined
  readonly fitted: Fitted
  /** The law of the errors of the good rows that the fit saw, where the method chooses one. */
  readonly errors?: ErrorLaw | undefined
  /** How well the parameters are known, where the method says so and the model predicts something. */
  readonly uncertainty?: Uncertainty | undefined
  /** Where it comes from: what `rlvi fit --save` adds. */
  readonly origin?: ModelOrigin | undefined
}

/** How well intercept and coefficients are known. */
export interface Uncertainty {
  /**
   * Of intercept (where there is one) and coefficients, under softmax class by class, in the units of the table: the lower
   * triangle, row by row. (Version 0.1.0 had all of it.)
   */
  readonly covariance: readonly Numbers[]
  /** How many standard errors a 90 % interval reaches to either side. */
  readonly within: number
}

/** Where a model file comes from. */
export interface ModelOrigin {
  /** The release that fitted it. */
  readonly rlvi: string
  /** When, as ISO 8601 writes it. */
  readonly date: string
  /** The file that it was fitted to. */
  readonly source: string
  /** The share of bad rows there, or null where the method does not infer it. */
  readonly level: number | null
}
