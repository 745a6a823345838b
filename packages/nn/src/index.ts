/**
 * `@rlvi/nn`: models, graphs, executors, training and files. What networks are made of, and trained by, has names that
 * the core uses for something else; it is found by subpath: `@rlvi/nn/ops`, `/layers`, `/methods`, `/optim`.
 */
export { gradients } from './autodiff/gradients.js'
export { type CudaOptions, cudaEnsemble, cudaExecutor } from './executors/cuda/cuda.js'
export type { Precision } from './executors/cuda/plan/layout.js'
export { type CudaDevice, type CudaReport, cudaDevices } from './executors/cuda/run/devices.js'
export type { EnsembleMember } from './executors/cuda/run/ensemble.js'
export type { CudaProgram, LaunchTime, Measured } from './executors/cuda/run/program.js'
export type {
  Executor,
  Feeds,
  Fetches,
  FloatArray,
  Program,
  StoredBatch,
  StoredImages,
  StoredStep,
  Variables,
} from './executors/executor.js'
export { drawMasks } from './executors/masks.js'
export { type Classifier, onnxClassifier } from './executors/onnx/classifier.js'
export { exportOnnx, onnxWeights } from './executors/onnx/export.js'
export type { ModelInfo } from './executors/onnx/info.js'
export { needOnnxRuntime, type OnnxOptions, onnxExecutor } from './executors/onnx/onnx.js'
export type { SessionOptions } from './executors/onnx/session-options.js'
export { type ReferenceOptions, referenceExecutor } from './executors/reference/reference.js'
export { type BuilderOptions, GraphBuilder, type Value } from './graph/builder.js'
export type {
  DType,
  Feed,
  Fetch,
  Graph,
  Init,
  Node,
  Shape,
  TensorType,
  Update,
  Variable,
} from './graph/graph.js'
export { initialValues } from './graph/init.js'
export { type EvaluationOptions, evaluation, type StepOptions, weightedStep } from './models/graphs.js'
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
export { loadPart, MissingPart, type OptionalPart, onnxRuntime } from './optional-part.js'
export type { CheckpointStore } from './training/checkpoint.js'
export {
  type EvaluationData,
  type LabelledBatch,
  type MemoryOptions,
  memoryData,
  memoryEvaluation,
  type StoredLabelledBatch,
  type TrainingBatch,
  type TrainingData,
} from './training/data.js'
export type { Evaluation } from './training/evaluate.js'
export type { EpochMetrics } from './training/metrics.js'
export { reportedEpoch } from './training/reported-epoch.js'
export type { TrainingState } from './training/state.js'
export { openTraining, type Progress, type Training, type TrainOptions } from './training/train.js'
