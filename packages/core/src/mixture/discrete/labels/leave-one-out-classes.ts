import type { Params } from '../../../likelihoods/likelihood.js'
import { factor } from '../../../linalg/cholesky.js'
import { inverse } from '../../../linalg/symmetric.js'
import { type Matrix, matrix } from '../../../matrix.js'
import type { Classed } from './labelled.js'

/** With more rows than this for each parameter, a single row moves the fit too little to matter. */
const ROWS_PER_PARAMETER = 1000
/** The rows' influence on their own losses, all together, is at most this many times the number of parameters. */
const MAX_INFLUENCE = 2

/**
 * P(true class | features) of each row by a fit without it, to first order: the loss of class c grows by g_c' A^-1 g, with the
 * gradient g of the row as it is, mixed by its posterior, and the information A.
 */
export function leaveOneOutClasses<D, P extends Params>(
  likelihood: Classed<D, P>,
  rows: D,
  fitted: P,
  posterior: Matrix,
): Matrix {
  const { classes } = likelihood
  const p = classes.probabilities(rows, fitted)
  const n = p.rows
  const K = p.cols
  const size = likelihood.vector(fitted).length
  if (fitted.problem !== undefined || n > ROWS_PER_PARAMETER * size) return p
  const { data, params } = likelihood.centred?.(rows, fitted) ?? { data: rows, params: fitted }
  const covariance = inverse(factor(classes.information(data, params, posterior).values, size)).values
  const every = Array.from({ length: n }, (_, i) => i)
  const gradients = Array.from(
    { length: K },
    (_, c) => likelihood.gradients(classes.labelled(data, every, new Float64Array(n).fill(c)), params).values,
  )
  const growth = matrix(n, K)
  const own = new Float64Array(size)
  const pull = new Float64Array(size)
  const given = classes.given(data)
  let total = 0
  for (let i = 0; i < n; i++) {
    own.fill(0)
    pull.fill(0)
    for (let c = 0; c < K; c++) {
      const share = posterior.values[i * K + c]
      for (let j = 0; j < size; j++) own[j] += share * gradients[c][i * size + j]
    }
    for (let j = 0; j < size; j++) {
      if (own[j] === 0) continue
      for (let k = 0; k < size; k++) pull[k] += own[j] * covariance[j * size + k]
    }
    for (let c = 0; c < K; c++) {
      let sum = 0
      for (let j = 0; j < size; j++) sum += pull[j] * gradients[c][i * size + j]
      growth.values[i * K + c] = sum
    }
    total += Math.max(growth.values[i * K + given[i]], 0)
  }
  const most = MAX_INFLUENCE * size
  const scale = total > most ? most / total : 1
  const out = matrix(n, K)
  for (let i = 0; i < n; i++) {
    const logs = Array.from({ length: K }, (_, c) => {
      const k = i * K + c
      return Math.log(p.values[k]) - scale * growth.values[k]
    })
    const highest = Math.max(...logs)
    const parts = logs.map((log) => Math.exp(log - highest))
    const sum = parts.reduce((a, b) => a + b, 0)
    out.values.set(
      parts.map((part) => part / sum),
      i * K,
    )
  }
  return out
}
