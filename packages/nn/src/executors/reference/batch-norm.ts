import { type Shape, sizeOf } from '../../graph/graph.js'
import type { BatchNormEval, BatchNormGrad, BatchNormTrain } from '../../graph/ops.js'
import type { FloatTensor, Make, Tensor } from './tensor.js'

export function batchNormTrain(
  op: BatchNormTrain,
  x: Tensor,
  scale: Tensor,
  bias: Tensor,
  make: Make,
): readonly FloatTensor[] {
  const count = x.data.length / x.shape[1]
  const means = new Float64Array(x.shape[1])
  const variances = new Float64Array(x.shape[1])
  eachChannel(x.shape, (i, c) => {
    means[c] += x.data[i] / count
  })
  eachChannel(x.shape, (i, c) => {
    variances[c] += (x.data[i] - means[c]) ** 2 / count
  })
  const mean = make([x.shape[1]])
  const variance = make([x.shape[1]])
  mean.data.set(means)
  variance.data.set(variances)
  return [
    batchNormEval({ ...op, kind: 'batchNormEval' }, [x, scale, bias, mean, variance], make),
    mean,
    variance,
  ]
}

export function batchNormEval(op: BatchNormEval, inputs: readonly Tensor[], make: Make): FloatTensor {
  const [x, scale, bias, mean, variance] = inputs
  const out = make(x.shape)
  eachChannel(x.shape, (i, c) => {
    const normal = (x.data[i] - mean.data[c]) / Math.sqrt(variance.data[c] + op.epsilon)
    out.data[i] = scale.data[c] * normal + bias.data[c]
  })
  return out
}

export function batchNormGrad(
  op: BatchNormGrad,
  inputs: readonly Tensor[],
  make: Make,
): readonly FloatTensor[] {
  const [dy, x, scale, mean, variance] = inputs
  const count = x.data.length / x.shape[1]
  const normal = (i: number, c: number): number =>
    (x.data[i] - mean.data[c]) / Math.sqrt(variance.data[c] + op.epsilon)
  const dscale = make([x.shape[1]])
  const dbias = make([x.shape[1]])
  const scales = new Float64Array(x.shape[1])
  const biases = new Float64Array(x.shape[1])
  eachChannel(x.shape, (i, c) => {
    scales[c] += dy.data[i] * normal(i, c)
    biases[c] += dy.data[i]
  })
  dscale.data.set(scales)
  dbias.data.set(biases)
  const dx = make(x.shape)
  eachChannel(x.shape, (i, c) => {
    const centred = dy.data[i] - (biases[c] + normal(i, c) * scales[c]) / count
    dx.data[i] = (scale.data[c] * centred) / Math.sqrt(variance.data[c] + op.epsilon)
  })
  return [dx, dscale, dbias]
}

function eachChannel(shape: Shape, visit: (i: number, channel: number) => void): void {
  const channels = shape[1]
  const plane = sizeOf(shape.slice(2))
  const total = sizeOf(shape)
  for (let i = 0; i < total; i++) visit(i, Math.floor(i / plane) % channels)
}
