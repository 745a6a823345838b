export type { Law, LikelihoodCases } from './law.js'
export { likelihoodLaws } from './likelihood.js'
export { type LawfulOnlineModel, onlineModelLaws, type ResponseGrid } from './online-model.js'
