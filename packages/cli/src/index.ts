export { main } from './main.js'
export { loadModel, type SavedModel } from './model-file.js'
