import { inRange } from './rows.js'
import type { FloatTensor, Make, Tensor } from './tensor.js'

/** Subtracts the largest first, so that no logit is too large. */
export function logSoftmax(logits: Tensor, make: Make): FloatTensor {
  const [rows, classes] = logits.shape
  const out = make(logits.shape)
  for (let i = 0; i < rows; i++) {
    let largest = Number.NEGATIVE_INFINITY
    for (let k = 0; k < classes; k++) largest = Math.max(largest, logits.data[i * classes + k])
    let total = 0
    for (let k = 0; k < classes; k++) total += Math.exp(logits.data[i * classes + k] - largest)
    const logTotal = Math.log(total)
    for (let k = 0; k < classes; k++) {
      out.data[i * classes + k] = logits.data[i * classes + k] - largest - logTotal
    }
  }
  return out
}

export function crossEntropy(logits: Tensor, labels: Tensor, make: Make): readonly FloatTensor[] {
  const logProbabilities = logSoftmax(logits, make)
  const [rows, classes] = logits.shape
  const losses = make([rows])
  for (let i = 0; i < rows; i++) {
    losses.data[i] = -logProbabilities.data[i * classes + inRange('label', labels.data[i], classes)]
  }
  return [losses, logProbabilities]
}

export function crossEntropyGrad(
  logProbabilities: Tensor,
  labels: Tensor,
  weights: Tensor,
  make: Make,
): FloatTensor {
  const out = make(logProbabilities.shape)
  const classes = logProbabilities.shape[1]
  for (let i = 0; i < out.data.length; i++) {
    const row = Math.floor(i / classes)
    const hit = i % classes === labels.data[row] ? 1 : 0
    out.data[i] = weights.data[row] * (Math.exp(logProbabilities.data[i]) - hit)
  }
  return out
}
