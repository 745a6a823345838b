export type { Law, LikelihoodCases } from './law.js'
export { likelihoodLaws } from './likelihood.js'
