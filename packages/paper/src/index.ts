export { severAsReleased } from './as-released/sever.js'
export { type Cell, type CellResult, type NetworkRecord, recordOf, sameCell } from './networks/cell.js'
export { readCells, writeCell } from './networks/cell-files.js'
export { type NetworkExperiment, networkExperiments } from './networks/experiments.js'
export {
  groupsOf,
  type NetworkExperimentOptions,
  type NetworkReproduction,
  runNetworkExperiment,
  trainTogether,
} from './networks/reproduce.js'
export { type CellOptions, runCell } from './networks/run-cell.js'
export { type Selection, selectCells } from './networks/selection.js'
export type { OnlineRecord } from './online/results/records.js'
export { experiments, experimentsOnData, type ReproductionRecord, reproduce } from './reproduce.js'
export type { ReproduceOptions, Reproduction } from './shared/reproduction.js'
export { type Summary, summarise } from './shared/summary.js'
export type { StreamRecord } from './streams/records.js'
export { covarianceProblem } from './synthetic/problems/covariance.js'
export { problems } from './synthetic/problems/index.js'
export { linearProblem } from './synthetic/problems/linear.js'
export { logisticProblem } from './synthetic/problems/logistic.js'
export { pcaProblem } from './synthetic/problems/pca.js'
export type { SyntheticProblem } from './synthetic/problems/problem.js'
export { type Definition, type Method, type MethodName, relativeError } from './synthetic/problems/problem.js'
export type { ExperimentRecord } from './synthetic/records.js'
