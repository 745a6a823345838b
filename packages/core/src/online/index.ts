/**
 * Online learning: `state = online.init(options)`, then `{ state, result } = online.update(state, batch)` again and
 * again.
 */
export { init } from './init.js'
export { predict, type WithModel } from './predict.js'
export { update } from './update.js'
