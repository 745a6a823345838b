export { gradients } from './autodiff/gradients.js'
export type { Executor, Feeds, Fetches, FloatArray, Program, Variables } from './executors/executor.js'
export { drawMasks } from './executors/masks.js'
export { type Classifier, onnxClassifier } from './executors/onnx/classifier.js'
export { exportOnnx, onnxWeights } from './executors/onnx/export.js'
export type { ModelInfo } from './executors/onnx/info.js'
export { type OnnxOptions, onnxExecutor } from './executors/onnx/onnx.js'
export { type ReferenceOptions, referenceExecutor } from './executors/reference/reference.js'
export { type BuilderOptions, GraphBuilder, type Value } from './graph/builder.js'
export type { DType, Feed, Fetch, Graph, Node, Shape, TensorType, Update, Variable } from './graph/graph.js'
export { type Init, initialValues } from './graph/init.js'
export type { Op } from './graph/ops.js'
export * from './graph/values.js'
export { type BatchNormOptions, batchNorm } from './layers/batch-norm.js'
export * from './layers/layers.js'
export { type BlockOptions, basicBlock, bottleneck } from './models/blocks.js'
export { evaluation, type StepOptions, weightedStep } from './models/graphs.js'
export { type LeNetOptions, lenet } from './models/lenet.js'
export type { Model } from './models/model.js'
export { type ResNet50Options, type ResNetOptions, resnet18, resnet34, resnet50 } from './models/resnet.js'
export {
  readSafetensors,
  type Safetensors,
  type StoredTensor,
  writeSafetensors,
} from './models/safetensors.js'
export { readWeightFile } from './models/weight-file.js'
export { type LoadOptions, loadWeights, modelWeights } from './models/weights.js'
export { type AdamOptions, adam } from './optim/adam.js'
export { descend, type Group, minimize, oneRate } from './optim/minimize.js'
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
export type { CheckpointStore } from './training/checkpoint.js'
export {
  type EvaluationData,
  type LabelledBatch,
  type MemoryOptions,
  memoryData,
  memoryEvaluation,
  type TrainingBatch,
  type TrainingData,
} from './training/data.js'
export type { Evaluation } from './training/evaluate.js'
export type { BatchInfo, EpochInfo, Method, StepSetup } from './training/method.js'
export { type BareOptions, bare } from './training/methods/bare.js'
export {
  type CalibratedOptions,
  type Calibration,
  calibrate,
  calibrated,
} from './training/methods/calibrated.js'
export { type CdrOptions, cdr } from './training/methods/cdr.js'
export { type CoteachingOptions, coteaching } from './training/methods/coteaching.js'
export { type ForgetOptions, forgetRate } from './training/methods/forget.js'
export { type JocorOptions, jocor } from './training/methods/jocor.js'
export { type RlviOptions, rlvi } from './training/methods/rlvi.js'
export { standard } from './training/methods/standard.js'
export { type UsdnlOptions, usdnl } from './training/methods/usdnl.js'
export { type EpochMetrics, reportedEpoch } from './training/metrics.js'
export type { TrainingState } from './training/state.js'
export { openTraining, type Progress, type Training, type TrainOptions } from './training/train.js'
