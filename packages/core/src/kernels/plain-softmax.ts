import type { Matrix } from '../matrix.js'

/** See `softmaxLoss` in `softmax.ts`. */
export function softmaxLoss(
  x: Matrix,
  y: Float64Array,
  w: Float64Array,
  classes: number,
  coefficients: Float64Array,
  gradient: Float64Array,
): number {
  const { cols, values } = x
  const p = new Float64Array(classes)
  gradient.fill(0)
  let value = 0
  for (let i = 0; i < x.rows; i++) {
    if (w[i] === 0) continue
    const row = i * cols
    let most = Number.NEGATIVE_INFINITY
    for (let k = 0; k < classes; k++) {
      let eta = 0
      for (let j = 0; j < cols; j++) eta += coefficients[k * cols + j] * values[row + j]
      p[k] = eta
      if (eta > most) most = eta
    }
    let sum = 0
    for (let k = 0; k < classes; k++) sum += Math.exp(p[k] - most)
    value += w[i] * (Math.log(sum) + most - p[y[i]])
    for (let k = 0; k < classes; k++) {
      const excess = w[i] * (Math.exp(p[k] - most) / sum - (y[i] === k ? 1 : 0))
      for (let j = 0; j < cols; j++) gradient[k * cols + j] += excess * values[row + j]
    }
  }
  return value
}
