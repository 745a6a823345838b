export { type Draws, draws } from './draws.js'
export { seeded, seededBits } from './seeded.js'
