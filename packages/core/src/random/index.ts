export { type Draws, draws } from './draws.js'
export { seeded } from './seeded.js'
