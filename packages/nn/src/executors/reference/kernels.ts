import type { TensorType } from '../../graph/graph.js'
import type { Op } from '../../graph/ops.js'
import { batchNormEval, batchNormGrad, batchNormTrain } from './batch-norm.js'
import { binary, broadcastTo, transpose, unary, where } from './elementwise.js'
import { crossEntropy, crossEntropyGrad, logSoftmax } from './losses.js'
import { avgPool, avgPoolGrad, maxPool, maxPoolGrad } from './pooling.js'
import { conv2d, conv2dInputGrad, conv2dWeightGrad, matmul } from './products.js'
import { reduce } from './reduce.js'
import { concat, oneHot, slice, smallest, take } from './rows.js'
import { adamStep, sgdStep } from './steps.js'
import type { Make, Tensor } from './tensor.js'

/** Computes one operation. */
export function compute(
  op: Op,
  inputs: readonly Tensor[],
  types: readonly TensorType[],
  make: Make,
): readonly Tensor[] {
  const [a, b, c] = inputs
  const shape = types[0].shape
  switch (op.kind) {
    case 'constant': {
      const out = make(op.shape)
      if (op.values.length === 1) out.data.fill(op.values[0])
      else out.data.set(op.values)
      return [out]
    }
    case 'neg':
    case 'exp':
    case 'log':
    case 'sqrt':
    case 'abs':
    case 'relu':
    case 'sigmoid':
    case 'tanh':
    case 'stopGradient':
      return [unary(op, a, make)]
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'maximum':
    case 'minimum':
    case 'greater':
    case 'greaterEqual':
    case 'equal':
      return [binary(op, a, b, shape, make)]
    case 'where':
      return [where(a, b, c, shape, make)]
    case 'reduceSum':
    case 'reduceMean':
    case 'reduceMax':
      return [reduce(op, a, make)]
    case 'reshape':
      return [{ shape, data: a.data }]
    case 'broadcastTo':
      return [broadcastTo(a, shape, make)]
    case 'transpose':
      return [transpose(a, op.order, make)]
    case 'concat':
      return [concat(op, inputs, shape, make)]
    case 'slice':
      return [slice(op, a, shape, make)]
    case 'take':
      return [take(a, b, shape, make)]
    case 'oneHot':
      return [oneHot(op, a, make)]
    case 'smallest':
      return [smallest(a, b, make)]
    case 'matmul':
      return [matmul(op, a, b, c, make)]
    case 'conv2d':
      return [conv2d(op, a, b, c, shape, make)]
    case 'conv2dInputGrad':
      return [conv2dInputGrad(op, a, b, shape, make)]
    case 'conv2dWeightGrad':
      return [conv2dWeightGrad(op, a, b, shape, make)]
    case 'reluGrad':
      return [where(unaryMask(a, make), b, zero(make), shape, make)]
    case 'maxPool':
      return [maxPool(op, a, shape, make)]
    case 'maxPoolGrad':
      return [maxPoolGrad(op, a, b, c, make)]
    case 'avgPool':
      return [avgPool(op, a, shape, make)]
    case 'avgPoolGrad':
      return [avgPoolGrad(op, a, shape, make)]
    case 'batchNormTrain':
      return batchNormTrain(op, a, b, c, make)
    case 'batchNormGrad':
      return batchNormGrad(op, inputs, make)
    case 'batchNormEval':
      return [batchNormEval(op, inputs, make)]
    case 'logSoftmax':
      return [logSoftmax(a, make)]
    case 'crossEntropy':
      return crossEntropy(a, b, make)
    case 'crossEntropyGrad':
      return [crossEntropyGrad(a, b, c, make)]
    case 'sgdStep':
      return sgdStep(op, inputs, make)
    case 'adamStep':
      return adamStep(op, inputs, make)
  }
}

function zero(make: Make): Tensor {
  return make([])
}

function unaryMask(y: Tensor, make: Make): Tensor {
  return binary({ kind: 'greater' }, y, zero(make), y.shape, make)
}
