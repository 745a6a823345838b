/** The paper's covariance: the relative error in the Frobenius norm; a failure is an error as large as the truth. */
import { compareMedians } from './medians.js'
import { isProgram, runOptions, verdict } from './program.js'

if (isProgram(import.meta.url)) {
  const setting = {
    problem: 'cov',
    title: 'covariance, n = 50',
    epsilons: [0, 0.05, 0.1, 0.2, 0.3, 0.4],
    failure: 1,
    judged: false,
    digits: 4,
  }
  verdict(await compareMedians(setting, runOptions(1000)))
}
