import { RlviError } from 'rlvi'
import type { Value } from '../graph/builder.js'
import type { BatchNormEval, MatMul } from '../graph/ops.js'
import { add, div, exp, matmul, mul, node, reshape, sqrt, sub, sum } from '../graph/values.js'
import type { Backward, Rules } from './rule.js'

export const networkRules: Rules = {
  matmul: matmulRule,
  conv2d: ({ op, inputs: [x, weight, bias], gradients, wanted }) => {
    const dy = gradients[0]!
    const { stride, padding } = op
    const size = [x.shape[2], x.shape[3]] as const
    const kernel = [weight.shape[2], weight.shape[3]] as const
    return [
      wanted[0] ? node({ kind: 'conv2dInputGrad', stride, padding, size }, dy, weight) : undefined,
      wanted[1] ? node({ kind: 'conv2dWeightGrad', stride, padding, kernel }, x, dy) : undefined,
      bias && wanted[2] ? sum(dy, { axes: [0, 2, 3] }) : undefined,
    ]
  },
  maxPool: ({ op, inputs: [x], outputs: [y], gradients }) => [
    node({ ...op, kind: 'maxPoolGrad' }, x, y, gradients[0]!),
  ],
  avgPool: ({ op, inputs: [x], gradients }) => [
    node({ ...op, kind: 'avgPoolGrad', size: [x.shape[2], x.shape[3]] }, gradients[0]!),
  ],
  batchNormTrain: ({ op, inputs: [x, scale], outputs: [, mean, variance], gradients }) => {
    const [dy, dmean, dvariance] = gradients
    if (!dy || dmean || dvariance) {
      throw new RlviError(
        'batchNormTrain',
        'only y can be differentiated',
        'its mean or variance',
        'stop the gradient',
      )
    }
    return x.graph.apply({ kind: 'batchNormGrad', epsilon: op.epsilon }, [dy, x, scale, mean, variance])
  },
  batchNormEval: batchNormEvalRule,
  logSoftmax: ({ outputs: [y], gradients }) => [logSoftmaxGrad(gradients[0]!, y)],
  crossEntropy: ({ inputs: [, labels], outputs: [, logProbabilities], gradients: [losses, logs] }) => {
    const byLosses = losses && node({ kind: 'crossEntropyGrad' }, logProbabilities, labels, losses)
    const byLogs = logs && logSoftmaxGrad(logs, logProbabilities)
    return [byLosses && byLogs ? add(byLosses, byLogs) : (byLosses ?? byLogs)]
  },
}

function logSoftmaxGrad(dy: Value, logProbabilities: Value): Value {
  return sub(dy, mul(exp(logProbabilities), sum(dy, { axes: [1], keepDims: true })))
}

/** y = A B: dA = dy Bt and dB = At dy, each written so that nothing needs to be transposed beforehand. */
function matmulRule({
  op,
  inputs: [a, b, bias],
  gradients,
  wanted,
}: Backward<MatMul>): readonly (Value | undefined)[] {
  const dy = gradients[0]!
  const { transposeA, transposeB } = op
  const byA = (): Value =>
    transposeA
      ? matmul(b, dy, { transposeA: transposeB, transposeB: true })
      : matmul(dy, b, { transposeB: !transposeB })
  const byB = (): Value =>
    transposeB
      ? matmul(dy, a, { transposeA: true, transposeB: transposeA })
      : matmul(a, dy, { transposeA: !transposeA })
  return [
    wanted[0] ? byA() : undefined,
    wanted[1] ? byB() : undefined,
    bias && wanted[2] ? sum(dy, { axes: [0] }) : undefined,
  ]
}

function batchNormEvalRule({
  op,
  inputs,
  gradients,
  wanted,
}: Backward<BatchNormEval>): readonly (Value | undefined)[] {
  const [x, scale, , mean, variance] = inputs
  const dy = gradients[0]!
  const axes = x.shape.map((_, axis) => axis).filter((axis) => axis !== 1)
  const spread = sqrt(add(variance, op.epsilon))
  const perChannel = (value: Value): Value =>
    reshape(
      value,
      x.shape.slice(1).map((length, axis) => (axis === 0 ? length : 1)),
    )
  const dnormal = (): Value => sum(mul(dy, sub(x, perChannel(mean))), { axes })
  const slope = div(scale, spread)
  return [
    wanted[0] ? mul(dy, perChannel(slope)) : undefined,
    wanted[1] ? div(dnormal(), spread) : undefined,
    wanted[2] ? sum(dy, { axes }) : undefined,
    wanted[3] ? mul(mul(sum(dy, { axes }), slope), -1) : undefined,
    wanted[4] ? mul(mul(dnormal(), div(slope, add(variance, op.epsilon))), -0.5) : undefined,
  ]
}
