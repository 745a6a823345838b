import { parseHTML } from 'linkedom'
import type { PlotDocument } from './figure.js'

/** A document to build plots in where there is no browser. */
export function svgDocument(): PlotDocument {
  return parseHTML('<!doctype html><html><body></body></html>').document as unknown as PlotDocument
}
