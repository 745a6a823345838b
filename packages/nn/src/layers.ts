/** `@rlvi/nn/layers`: functions from tensors to tensors with parameters of their own, with PyTorch's names and defaults. */
export { type BatchNormOptions, batchNorm } from './layers/batch-norm.js'
export * from './layers/layers.js'
export { type BlockOptions, basicBlock, bottleneck } from './models/blocks.js'
