import { describe, it } from 'vitest'
import { matrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import { SoftmaxProblem } from './softmax-problem.js'
import { type SoftmaxMethod, solveSoftmax } from './softmax-solve.js'

describe('first-order steps', () => {
  it.each([0.01, 1])("end where Newton's do, with a ridge of %d", (ridge) => {
    const random = new TestRandom(4)
    const x = matrix(
      300,
      6,
      Float64Array.from({ length: 1800 }, (_, k) => random.normal() * 10 ** (k % 3)),
    )
    const y = Float64Array.from({ length: 300 }, (_, i) =>
      Math.min(4, Math.max(0, Math.round(2 + x.values[6 * i] + random.normal()))),
    )
    const w = Float64Array.from({ length: 300 }, () => random.uniform())
    const each = new Float64Array(6).fill(ridge)
    const solved = (method: SoftmaxMethod): Float64Array => {
      const problem = new SoftmaxProblem({ x, y }, w, 5, true, each)
      return problem.unpack(solveSoftmax(problem, undefined, 'full', method).beta).coefficients.values
    }
    expectClose(solved('first-order'), Array.from(solved('newton')), 1e-6, 1e-6)
  })
})
