/**
 * The SIMD kernels. All have one signature, so that one loop on the other side can feed them block by block
 * (src/kernels/blocks.ts): number of rows, columns of the first array, three arrays of rows, the call's parameters,
 * and the sums that it adds to.
 */
export { expAll, fixedPoint, fold, objective, posterior, score } from './estep'
export { checksum, columnSums, gram, norms, predictor, rescale } from './gram'
export { softmax } from './softmax'
