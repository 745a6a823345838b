// The same names for a page: bundlers for browsers take this in place of index.ts, and so no parser of HTML.
export { svgDocument } from './document.browser.js'
export * from './plots.js'
