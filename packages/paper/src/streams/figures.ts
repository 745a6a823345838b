import { type Curve, curvePlot, type PlotDocument } from '@rlvi/report'
import type { Figure, Provenance } from '../shared/figure.js'
import { smooth } from '../shared/smooth.js'
import type { StreamRuns } from './records.js'

const colours = { SGD: '#8a8f98', RRM: '#009e73', RLVI: '#2a7fc4', calibrated: '#d55e00' } as const
/** Half-width of the smoothing, as a share of the stream. */
const HALF = 1 / 40

/** For each stream with wrong labels: accuracy over time of the methods that need no tuning, and the level. */
export function streamFigures(
  all: readonly StreamRuns[],
  provenance: Provenance,
  document: PlotDocument,
): Figure[] {
  return all
    .filter(({ noise }) => noise === 'waves')
    .flatMap((runs, k) => [
      accuracyFigure(runs, idOf(runs, k), provenance, document),
      levelFigure(runs, idOf(runs, k), provenance, document),
    ])
}

/** Ids hold letters, digits and hyphens; the number keeps two files apart that differ in other signs only. */
function idOf({ data }: StreamRuns, k: number): string {
  return `streams-${k + 1}-${data.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
}

function accuracyFigure(
  { data, rows, methods }: StreamRuns,
  name: string,
  provenance: Provenance,
  document: PlotDocument,
): Figure {
  const half = Math.max(1, Math.round(rows.length * HALF))
  const curves: Curve[] = methods
    .filter(({ variant }) => ['adaptive', 'default'].includes(variant))
    .map(({ method, accuracy }) => ({
      label: method,
      colour: colours[method],
      points: over(rows, smooth(average(accuracy), half)),
    }))
  const lowest = Math.min(...curves.flatMap(({ points }) => points.map(({ y }) => y)))
  const id = `${name}-accuracy`
  const title = `${data}: accuracy of predictions made before learning`
  const range = [Math.max(0, Math.floor(lowest * 20) / 20), 1.003] as const
  const svg = curvePlot(
    { id, title, xLabel: 'rows', yLabel: 'accuracy', curves, range, height: 380 },
    document,
  )
  const caption = [
    `${title}, judged by the true labels while up to 40 % of those learned from are wrong, in three waves. Mean over ` +
      `${provenance.runs} runs, smoothed by a triangle of half-width ${half} batches. All methods with the adaptive steps.`,
    `Seed ${provenance.seed}, made by: ${provenance.command}`,
  ]
  return { id, svg, caption }
}

function levelFigure(
  { data, rows, wrong, methods }: StreamRuns,
  name: string,
  provenance: Provenance,
  document: PlotDocument,
): Figure {
  const curves: Curve[] = [
    { label: 'wrong labels', colour: '#000000', dashed: true, points: over(rows, average(wrong)) },
    ...methods
      .filter(({ level }) => level.length > 0)
      .map(({ method, level }) => ({
        label: 'estimated',
        colour: colours[method],
        points: over(rows, average(level)),
      })),
  ]
  const id = `${name}-level`
  const title = `${data}: share of wrong labels`
  const svg = curvePlot(
    { id, title, xLabel: 'rows', yLabel: 'share of the batch', curves, height: 320 },
    document,
  )
  const caption = [
    `${title} in each batch, true and as \`calibrated\` tells it; mean over ${provenance.runs} runs.`,
    `Seed ${provenance.seed}, made by: ${provenance.command}`,
  ]
  return { id, svg, caption }
}

function average(runs: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array(0)] = runs
  return first.map((_, b) => runs.reduce((sum, run) => sum + (run[b] ?? Number.NaN), 0) / runs.length)
}

function over(rows: readonly number[], values: Float64Array): Curve['points'] {
  return Array.from(values, (y, b) => ({ x: rows[b] ?? 0, y }))
}
