export { cacheFolder, dataFolder, type Manifest, readManifest } from './data/cache.js'
export { type Fetched, type FetchOptions, fetchData } from './data/fetch/fetch.js'
export { isFlat, listFlat } from './data/flat.js'
export { decodeAll, type FolderOptions, listFolder, loadFolder } from './data/folder.js'
export {
  type ImageFiles,
  type ImageSet,
  isInMemory,
  isOnDisk,
  type Labels,
  type Samples,
  subset,
} from './data/image-set.js'
export { type DataSet, fetchedFolder, type LoadOptions, loadData } from './data/load.js'
export { type Batch, type Loader, type LoaderOptions, openLoader, type Pass } from './data/loader.js'
export { picture } from './data/picture.js'
export { type Moment, prepareBatch } from './data/prepare.js'
export { type DataSetInfo, dataSetInfo, dataSets } from './data/sets.js'
export { epochOrder, type Split, split } from './data/split.js'
export { measureScale, type Preparation, type Transform } from './data/transform.js'
export { type Audit, type AuditOptions, audit } from './deep/audit.js'
export { type Cell, type CellResult, type DeepRecord, type EpochLine, recordOf } from './deep/cell.js'
export { checkpointFile } from './deep/checkpoint-file.js'
export { type DeepExperiment, deepExperiments } from './deep/experiments.js'
export { limited, type MaterialOptions, type Materials, materials } from './deep/materials.js'
export { methodOf, toldRate } from './deep/method-of.js'
export {
  type MethodName as NetworkMethod,
  methodNames,
  methodsToldTheRate,
  methodTitles,
} from './deep/methods.js'
export { type NetworkOptions, network } from './deep/networks.js'
export { type DeepOptions, type DeepReproduction, reproduceDeep } from './deep/reproduce.js'
export { openRun, type Run, type RunOptions } from './deep/run.js'
export { imagesOf, lineOf } from './deep/run-cell.js'
export { type Selection, selectCells } from './deep/selection.js'
export {
  byNetwork,
  isInPaper,
  type NetworkName,
  networkNames,
  ownSettings,
  type Settings,
  settingsFor,
} from './deep/settings.js'
export { type Judgement, type Opinions, opinions } from './deep/suspicion.js'
export {
  addNoise,
  type NoiseOptions,
  type NoiseType,
  type NoisyLabels,
  noiseTypes,
  noNoise,
} from './noise/noise.js'
export { openSetNoise } from './noise/open-set.js'
export { asymmetric, flipShare, pairflip, symmetric, type Transition } from './noise/transition.js'
export type { OnlineRecord } from './online/records.js'
export { type Stream, stream } from './random.js'
export { severAsReleased } from './released/sever.js'
export { experiments, experimentsOnData, reproduce } from './reproduce.js'
export type { ReproduceOptions, Reproduction } from './reproduction.js'
export { covarianceProblem } from './standard/covariance.js'
export { linearProblem } from './standard/linear.js'
export { logisticProblem } from './standard/logistic.js'
export { pcaProblem } from './standard/pca.js'
export type { StandardProblem } from './standard/problem.js'
export { type Definition, type Method, type MethodName, relativeError } from './standard/problem.js'
export { problems } from './standard/problems.js'
export type { ExperimentRecord } from './standard/records.js'
export type { StreamRecord } from './streams/records.js'
export { type Summary, summarise } from './summary.js'
