/** The paper's logistic regression: the angle to the true boundary, in degrees; a failure is an angle above 45. */
import { compareMedians } from './medians.js'
import { isProgram, runOptions, verdict } from './program.js'

if (isProgram(import.meta.url)) {
  const options = runOptions(1000)
  const found = []
  for (const rows of [100, 200]) {
    const setting = {
      problem: `logreg_n${rows}`,
      title: `logistic regression, n = ${rows}`,
      epsilons: [0, 0.05, 0.1],
      failure: 45,
      judged: true,
      digits: 3,
    }
    found.push(...(await compareMedians(setting, options)))
  }
  verdict(found)
}
