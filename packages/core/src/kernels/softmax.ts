import type { Matrix } from '../matrix.js'
import * as plain from './plain-softmax.js'
import { run, worthwhile } from './run.js'

/** Rows that the kernel takes through all steps together. */
const STRIP = 32

/** An even number that is not smaller. */
export function even(n: number): number {
  return n + (n % 2)
}

/**
 * sum_i w_i loss_i of softmax regression, the loss being the cross-entropy of class y_i, and its gradient by the
 * coefficients, classes x columns. The columns of x must be even in number; coefficients and gradient have room for an even
 * number of classes.
 */
export function softmaxLoss(
  x: Matrix,
  y: Float64Array,
  w: Float64Array,
  classes: number,
  coefficients: Float64Array,
  gradient: Float64Array,
): number {
  if (!worthwhile(x.values.length)) return plain.softmaxLoss(x, y, w, classes, coefficients, gradient)
  const params = new Float64Array(1 + coefficients.length)
  params[0] = classes
  params.set(coefficients, 1)
  const arrays = [
    { values: x.values, cols: x.cols, use: 'read' },
    { values: y, cols: 1, use: 'read' },
    { values: w, cols: 1, use: 'read' },
  ] as const
  const scratch = 2 * (STRIP * even(classes) + 4)
  const sums = run('softmax', x.rows, arrays, params, 1 + even(classes) * x.cols, scratch)
  gradient.set(sums.subarray(1))
  return sums[0]
}
