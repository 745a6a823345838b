import { covarianceProblem } from './covariance.js'
import { linearProblem } from './linear.js'
import { logisticProblem } from './logistic.js'
import { meanProblem } from './mean.js'
import { pcaProblem } from './pca.js'
import { type StandardProblem, standardProblem } from './problem.js'

/** The paper's standard learning problems (Section 4.1), by their names in the golden numbers. */
export const problems: ReadonlyMap<string, StandardProblem> = new Map(
  [
    standardProblem(linearProblem(2.5)),
    standardProblem(linearProblem(1.5)),
    standardProblem(logisticProblem(100)),
    standardProblem(logisticProblem(200)),
    standardProblem(pcaProblem),
    standardProblem(covarianceProblem),
    standardProblem(meanProblem),
  ].map((problem) => [problem.name, problem]),
)
