/** `@rlvi/nn/methods`: ways to learn from labels of which some are wrong, and what a method of one's own must have. */
export type { BatchInfo, EpochInfo, Method, StepSetup } from './training/method.js'
export { type BareOptions, bare } from './training/methods/bare.js'
export { type CdrOptions, cdr } from './training/methods/cdr.js'
export { type CoteachingOptions, coteaching } from './training/methods/coteaching.js'
export { type ForgetOptions, forgetRate } from './training/methods/forget.js'
export { type GivenUp, givenUp } from './training/methods/given-up.js'
export { heldOutInterval } from './training/methods/held-out-level.js'
export { type JocorOptions, jocor } from './training/methods/jocor.js'
export { type PosteriorOptions, posterior } from './training/methods/posterior.js'
export { type RlviOptions, rlvi } from './training/methods/rlvi.js'
export { standard } from './training/methods/standard.js'
export type { Predicted } from './training/methods/surest.js'
export {
  countHabits,
  type TrueLabelOptions,
  type TrueLabels,
  trueLabels,
} from './training/methods/true-label.js'
export { type UsdnlOptions, usdnl } from './training/methods/usdnl.js'
