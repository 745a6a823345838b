export { type Audit, type AuditOptions, audit, auditedSamples } from './audit/audit.js'
export { AUDIT_FILE } from './audit/audit-state.js'
export { auditDuration } from './audit/duration.js'
export { type Ensemble, type EnsembleScores, ensemble } from './audit/ensemble-scores.js'
export { cacheFolder, dataFolder, type Manifest, readManifest } from './data/cache.js'
export type { DataSet } from './data/data-set.js'
export { type Fetched, type FetchOptions, fetchData } from './data/fetch/fetch.js'
export { fingerprint } from './data/fingerprint.js'
export { needImageLibrary } from './data/formats/decode.js'
export { isFlat, listFlat } from './data/formats/flat.js'
export { decodeAll, type FolderOptions, listFolder, loadFolder } from './data/formats/folder.js'
export { original, picture, type Thumbnail } from './data/formats/picture.js'
export {
  type ImageFiles,
  type ImageSet,
  isInMemory,
  isOnDisk,
  type Labels,
  type Samples,
  subset,
  type Unreadable,
} from './data/image-set.js'
export { fetchedFolder, type LoadOptions, loadData } from './data/load.js'
export { type Batch, type Loader, type LoaderOptions, openLoader, type Pass } from './data/loading/loader.js'
export { type PassContext, prepareBatch } from './data/loading/prepare.js'
export { measureScale, type Preparation, type Transform } from './data/loading/transform.js'
export { isSmallPicture, type Look, look, readingFor } from './data/look.js'
export { dataSetInfo, dataSets } from './data/sets/catalogue.js'
export type { DataFile, DataSetInfo, Source } from './data/sets/info.js'
export { epochOrder, type Split, split } from './data/split.js'
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
export { checkpointFile, removeCheckpoint } from './training/checkpoint-file.js'
export { type DataSplits, dataSplits, limited, type SplitOptions } from './training/data-splits.js'
export { type EpochLine, imagesOf, lineOf } from './training/epoch-line.js'
export { assumedLevel, methodOf } from './training/method.js'
export {
  type MethodName as NetworkMethod,
  methodNames,
  methodsWithAssumedLevel,
  methodTitles,
  paperMethods,
} from './training/methods.js'
export { type NetworkOptions, network } from './training/networks.js'
export { openRun, type Run, type RunOptions } from './training/run.js'
export {
  byNetwork,
  isInPaper,
  type NetworkName,
  networkNames,
  ownSettings,
  type Settings,
  settingsFor,
} from './training/settings.js'
