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
}
