/** `@rlvi/nn/optim`: optimizers, learning rates by epoch, and the training step that they are part of. */
export { type AdamOptions, adam } from './optim/adam.js'
export { applyGradients, type Group, minimize, oneRate } from './optim/minimize.js'
export type { Optimizer, Parameter } from './optim/optimizer.js'
export {
  constantRate,
  cosine,
  cumulativeDecay,
  type LinearDecayOptions,
  linearDecay,
  multiStep,
  type Schedule,
} from './optim/schedules.js'
export { type SgdOptions, sgd } from './optim/sgd.js'
