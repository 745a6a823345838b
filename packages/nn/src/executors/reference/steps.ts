import type { AdamStep, SgdStep } from '../../graph/ops.js'
import type { FloatTensor, Make, Tensor } from './tensor.js'

export function sgdStep(op: SgdStep, inputs: readonly Tensor[], make: Make): readonly FloatTensor[] {
  const [w, v, g, rate] = inputs
  const nextW = make(w.shape)
  const nextV = make(w.shape)
  for (let i = 0; i < w.data.length; i++) {
    nextV.data[i] = op.momentum * v.data[i] + g.data[i] + op.weightDecay * w.data[i]
    nextW.data[i] = w.data[i] - rate.data[0] * nextV.data[i]
  }
  return [nextW, nextV]
}

export function adamStep(op: AdamStep, inputs: readonly Tensor[], make: Make): readonly FloatTensor[] {
  const [w, m, v, g, rate, c1, c2] = inputs
  const nextW = make(w.shape)
  const nextM = make(w.shape)
  const nextV = make(w.shape)
  for (let i = 0; i < w.data.length; i++) {
    const d = g.data[i] + op.weightDecay * w.data[i]
    nextM.data[i] = op.beta1 * m.data[i] + (1 - op.beta1) * d
    nextV.data[i] = op.beta2 * v.data[i] + (1 - op.beta2) * d * d
    const spread = Math.sqrt(nextV.data[i] / c2.data[0]) + op.epsilon
    nextW.data[i] = w.data[i] - ((rate.data[0] / c1.data[0]) * nextM.data[i]) / spread
  }
  return [nextW, nextM, nextV]
}
