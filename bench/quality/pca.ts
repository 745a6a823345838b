/** The paper's principal component: 1 - |cos| of the angle to the good rows' direction; a failure is above 45 degrees. */
import { compareMedians } from './medians.js'
import { isProgram, runOptions, verdict } from './program.js'

if (isProgram(import.meta.url)) {
  const setting = {
    problem: 'pca',
    title: 'principal component, n = 40',
    epsilons: [0, 0.05, 0.1, 0.2, 0.3, 0.4],
    failure: 1 - Math.SQRT1_2,
    judged: true,
    digits: 6,
  }
  verdict(await compareMedians(setting, runOptions(1000)))
}
