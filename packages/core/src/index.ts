export { inFile, phrase, RlviError, show, showList } from './errors.js'
export { bound, corruptionLevel, profileBound } from './inference/bound.js'
export { type ConstrainedEStep, constrain } from './inference/constrained.js'
export { type EStepStatus, type ExactEStep, exactEStep } from './inference/exact.js'
export { rightLabelProbability, wrongLabelShare } from './inference/label-noise.js'
export { type PaperEStep, type PaperRule, paperEStep, paperRules } from './inference/paper.js'
export { truncate, truncationThreshold } from './inference/truncate.js'
export { limitThreads } from './kernels/pool.js'
export type {
  Classes,
  Cloud,
  Continuous,
  Differentiable,
  Discrete,
  Informative,
  Prior,
  Regression,
} from './likelihoods/capabilities.js'
export {
  type CovarianceLikelihood,
  type CovarianceOptions,
  type CovarianceParams,
  covariance,
} from './likelihoods/covariance.js'
export type {
  Likelihood,
  LinearErrors,
  LinearParams,
  Params,
  Predictor,
  Problem,
  Reason,
  Supervised,
  Unsupervised,
} from './likelihoods/likelihood.js'
export {
  type LinearLikelihood,
  type LinearOptions,
  type LinearRegressionParams,
  linear,
} from './likelihoods/linear.js'
export { type LogisticLikelihood, type LogisticOptions, logistic } from './likelihoods/logistic.js'
export {
  type MeanErrors,
  type MeanLikelihood,
  type MeanOptions,
  type MeanParams,
  mean,
} from './likelihoods/mean.js'
export { type PcaLikelihood, type PcaOptions, type PcaParams, pca } from './likelihoods/pca.js'
export { type PoissonLikelihood, type PoissonOptions, poisson } from './likelihoods/poisson.js'
export {
  type SoftmaxErrors,
  type SoftmaxLikelihood,
  type SoftmaxOptions,
  type SoftmaxParams,
  softmax,
} from './likelihoods/softmax.js'
export { kthSmallest } from './linalg/kth-smallest.js'
export { type MiddleHalf, middleHalf, ofQuartiles } from './linalg/middle-half.js'
export { studentQuantile } from './linalg/quantiles.js'
export { fromRows, type Matrix, matrix, sharedMatrix, takeRows } from './matrix.js'
export { type FitOptions, fit, type ResponseUnits } from './methods/fit.js'
export { type HuberOptions, huber } from './methods/huber.js'
export { ml } from './methods/ml.js'
export { type PaperOptions, paper } from './methods/paper.js'
export { entropyWeights, type RrmOptions, rrm } from './methods/rrm.js'
export { type SeverOptions, sever } from './methods/sever.js'
export { standardErrorsOf } from './mixture/shared/standard-errors.js'
export * as online from './online/index.js'
export { onlineLinear } from './online/models/linear.js'
export { onlineLogistic } from './online/models/logistic.js'
export type { OnlineModel, OnlineModelName, OnlinePredictions } from './online/models/model.js'
export { onlineSoftmax } from './online/models/softmax.js'
export type {
  OnlineMethod,
  OnlineOptions,
  OnlineScaling,
  OnlineSchedule,
  ResolvedOnlineOptions,
} from './online/options.js'
export type { OnlineBatch, OnlineEvent, OnlineResult } from './online/result.js'
export type {
  OnlineChallenger,
  OnlineHistory,
  OnlineLearner,
  OnlineScales,
  OnlineState,
} from './online/state.js'
export type {
  BadFrom,
  Caution,
  CautionSubject,
  Corruption,
  ErrorLaw,
  ErrorLawName,
  Fit,
  Status,
  TraceStep,
} from './result.js'
