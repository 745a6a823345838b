export { allFinite } from '../kernels/finite.js'
export { rescale } from '../kernels/gram.js'
export { kernelRoom } from '../kernels/simd.js'
export { countShells } from '../mixture/discrete/counts/shells.js'
export { withRareRows } from '../mixture/shared/rare-rows.js'
export { REFINE_ROWS as SAMPLE_ROWS } from '../mixture/shared/sample.js'
export { thinnedRows as evenRows } from '../mixture/shared/thinned.js'
export * from './aggregates.js'
export {
  BLOCK_ROWS,
  type Blocks,
  type EachBlock,
  memoryBlocks,
  type PassTask,
  type SumsTask,
  sumsOfTask,
} from './blocks.js'
export { calibratedByPasses } from './calibrated.js'
export { inBlocks } from './in-blocks.js'
export { mlByPasses, mlCovariance } from './ml.js'
export { modelOf, type PassModel, type PassModelSpec, passModels, specOf, withDispersion } from './models.js'
export { paperByPasses } from './paper.js'
export type { PassSum } from './pass-sum.js'
export type { PassesFit, PassesOptions } from './result.js'
export { type SufficientRows, sufficientRows } from './sufficient-rows.js'
export * from './terms.js'
export { weigh } from './weigh.js'
