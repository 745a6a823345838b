/** The document that a plot is built in: the browser's own, or `svgDocument()` in Node. */
export interface PlotDocument {
  createElementNS(namespace: string, name: string): unknown
}

/** What every figure says of itself. */
export interface FigureText {
  /** Names files and elements: letters, digits and hyphens. */
  readonly id: string
  /** Shown above the figure, and read out. */
  readonly title: string
  /** For those who cannot see it. */
  readonly description?: string
}
