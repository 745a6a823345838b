import { covarianceProblem } from './covariance.js'
import { linearProblem } from './linear.js'
import { logisticProblem } from './logistic.js'
import { meanProblem } from './mean.js'
import { pcaProblem } from './pca.js'
import { type SyntheticProblem, syntheticProblem } from './problem.js'

/** The paper's synthetic learning problems (Section 4.1), by their names in the golden numbers. */
export const problems: ReadonlyMap<string, SyntheticProblem> = new Map(
  [
    syntheticProblem(linearProblem(2.5)),
    syntheticProblem(linearProblem(1.5)),
    syntheticProblem(logisticProblem(100)),
    syntheticProblem(logisticProblem(200)),
    syntheticProblem(pcaProblem),
    syntheticProblem(covarianceProblem),
    syntheticProblem(meanProblem),
  ].map((problem) => [problem.name, problem]),
)
