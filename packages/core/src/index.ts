export { type HuberOptions, huber } from './baselines/huber.js'
export { ml } from './baselines/ml.js'
export { entropyWeights, type RrmOptions, rrm } from './baselines/rrm.js'
export { type SeverOptions, sever } from './baselines/sever.js'
export { type CalibratedOptions, calibrated } from './calibrated/calibrated.js'
export { RlviError, show } from './errors.js'
export { type FitOptions, fit } from './fit.js'
export { bound, corruptionLevel, profileBound } from './inference/bound.js'
export { type ConstrainedEStep, constrain } from './inference/constrained.js'
export { type EStepStatus, type ExactEStep, exactEStep } from './inference/exact.js'
export { type PaperEStep, type PaperRule, paperEStep, paperRules } from './inference/paper.js'
export { truncate, truncationThreshold } from './inference/truncate.js'
export { type CovarianceOptions, type CovarianceParams, covariance } from './likelihoods/covariance.js'
export type {
  Likelihood,
  LinearParams,
  Params,
  Predictor,
  Problem,
  Reason,
  Spread,
  Supervised,
  Unsupervised,
} from './likelihoods/likelihood.js'
export { type LinearOptions, type LinearRegressionParams, linear } from './likelihoods/linear.js'
export { type LogisticOptions, logistic } from './likelihoods/logistic.js'
export { type MeanOptions, type MeanParams, mean } from './likelihoods/mean.js'
export { type PcaOptions, type PcaParams, pca } from './likelihoods/pca.js'
export { type PoissonOptions, poisson } from './likelihoods/poisson.js'
export {
  type SoftmaxLikelihood,
  type SoftmaxOptions,
  type SoftmaxParams,
  softmax,
} from './likelihoods/softmax.js'
export { fromRows, type Matrix, matrix, sharedMatrix, takeRows } from './matrix.js'
export type { Corruption, Fit, Status, TraceStep } from './result.js'
export * as stream from './stream/index.js'
export { linearStream } from './stream/linear-model.js'
export { logisticStream } from './stream/logistic-model.js'
export type { Predicted, StreamModel, StreamModelName } from './stream/model.js'
export { softmaxStream } from './stream/softmax-model.js'
export type {
  ResolvedStreamOptions,
  StreamBatch,
  StreamEvent,
  StreamHistory,
  StreamLearner,
  StreamMethod,
  StreamOptions,
  StreamResult,
  StreamScales,
  StreamScaling,
  StreamSchedule,
  StreamState,
  StreamTrial,
} from './stream/state.js'
