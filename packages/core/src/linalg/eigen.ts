import { Matrix as Dense, EigenvalueDecomposition } from 'ml-matrix'

export interface Eigen {
  /** Largest first. */
  readonly values: Float64Array
  /** Unit vectors, one a row, in the order of the values. */
  readonly vectors: Float64Array
}

const SMALLEST = 1e-290

/** Eigenvalues and vectors of a symmetric matrix given by its lower triangle (size x size, row by row). */
export function symmetricEigen(lower: Float64Array, size: number): Eigen {
  // The decomposition squares what it is given: in units of the largest entry that cannot overflow.
  let most = 0
  for (let j = 0; j < size; j++)
    for (let k = 0; k <= j; k++) most = Math.max(most, Math.abs(lower[j * size + k]))
  const unit = most > 0 && Number.isFinite(most) ? most : 1
  const full = new Dense(size, size)
  for (let j = 0; j < size; j++) {
    for (let k = 0; k <= j; k++) {
      const entry = lower[j * size + k] / unit
      // Dividing by what is nearly nothing would not give a number.
      const kept = Math.abs(entry) < SMALLEST ? 0 : entry
      full.set(j, k, kept)
      full.set(k, j, kept)
    }
  }
  const e = new EigenvalueDecomposition(full, { assumeSymmetric: true })
  const order = e.realEigenvalues.map((_, k) => k).sort((a, b) => e.realEigenvalues[b] - e.realEigenvalues[a])
  const values = new Float64Array(size)
  const vectors = new Float64Array(size * size)
  for (let k = 0; k < size; k++) {
    values[k] = unit * e.realEigenvalues[order[k]]
    for (let j = 0; j < size; j++) vectors[k * size + j] = e.eigenvectorMatrix.get(j, order[k])
  }
  return { values, vectors }
}
