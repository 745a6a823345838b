import type { PlotDocument } from './figure.js'

/** In a browser, the page's own document. */
export function svgDocument(): PlotDocument {
  return (globalThis as unknown as { readonly document: PlotDocument }).document
}
