export { svgDocument } from './document.js'
export * from './plots.js'
