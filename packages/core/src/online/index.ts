/** Streams: `state = stream.init(options)`, then `{ state, result } = stream.update(state, batch)` again and again. */
export { init, predict, update, type WithModel } from './online.js'
