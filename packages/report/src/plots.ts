// What is the same in Node and in browsers: the plots take the document they are built in.
export { type Box, type BoxPlot, boxPlot } from './box-plot.js'
export { type Curve, type CurvePlot, type CurvePoint, curvePlot } from './curve-plot.js'
export { escapeHtml } from './escape.js'
export type { FigureText, PlotDocument } from './figure.js'
export { levelPlot } from './fit/plots/level.js'
export { type FitReport, fitReport } from './fit/report.js'
export type { Cell, OwnColumns } from './fit/worst-rows.js'
export { type LookReport, lookReport } from './look-report.js'
export {
  type Block,
  type GalleryBlock,
  type GalleryItem,
  type Page,
  page,
  type TableBlock,
  type TilesBlock,
} from './page.js'
