import { type Curve, curvePlot, type PlotDocument } from '@rlvi/report'
import type { Figure, Provenance } from '../../shared/figure.js'
import { smooth } from '../../shared/smooth.js'
import type { Metrics } from '../metrics.js'
import type { MethodSeries, SizeRuns } from '../runs.js'
import { HALF, isPublished, publishedReadings } from './readings.js'

// Okabe and Ito's colours, as in the standard figures.
const colours: Readonly<Record<MethodSeries['method'], string>> = {
  SGD: '#8a8f98',
  RRM: '#009e73',
  RLVI: '#2a7fc4',
  calibrated: '#d55e00',
}

/** Figures in the paper's form: accuracy and recall over the training rows; and the level beside the truth. */
export function onlineFigures(
  data: string,
  all: readonly SizeRuns[],
  provenance: Provenance,
  document: PlotDocument,
): Figure[] {
  return all.flatMap((runs) => [
    metricFigure(data, runs, 'accuracy', provenance, document),
    metricFigure(data, runs, 'recall', provenance, document),
    ...(runs === all[0] ? [levelFigure(data, runs, provenance, document)] : []),
  ])
}

function metricFigure(
  data: string,
  runs: SizeRuns,
  metric: keyof Metrics,
  provenance: Provenance,
  document: PlotDocument,
): Figure {
  const { size, samples, methods } = runs
  const curves: Curve[] = methods.map((method) => ({
    label: nameOf(method),
    colour: colours[method.method],
    dashed: !['released', 'default'].includes(method.variant),
    points: points(
      samples,
      method.metrics[metric].map((values) => smooth(values, HALF)),
    ),
  }))
  const published = metric === 'accuracy' && isPublished(runs)
  const all = published ? [...curves, ...publishedCurves] : curves
  const id = `online-${metric}-${size.train}`
  const title = `${metric === 'accuracy' ? 'Accuracy' : 'Recall'} on clean test rows, batches of ${size.train}`
  const lowest = Math.min(...all.flatMap((curve) => curve.points.map(({ y, spread = 0 }) => y - spread)))
  const range = [Math.max(0, Math.floor(lowest * 20) / 20), 1.003] as const
  const xLabel = 'training rows seen'
  const svg = curvePlot({ id, title, xLabel, yLabel: metric, curves: all, range, height: 460 }, document)
  const caption = [
    `${title}: mean over ${provenance.runs} runs, each smoothed by a triangle of half-width ${HALF} batches; bands: one standard ` +
      `deviation over the runs. Data: ${data}.`,
    published
      ? "‘paper’ is read off the published figure, which is one run on the original data, moved about 5 batches to the left by the released code's padding."
      : '',
    'SGD as released takes steps b times larger than RRM and RLVI (‘1/b’ takes theirs, ‘adaptive’ those of `calibrated`). ' +
      'RRM and RLVI as released weigh rows by ' +
      '−log P(y = 1 | x) whatever their label; ‘true loss’ is what the paper says.',
    `Seed ${provenance.seed}, made by: ${provenance.command}`,
  ]
  return { id, svg, caption: caption.filter((text) => text !== '') }
}

const publishedCurves: readonly Curve[] = [
  { label: 'paper: SGD', colour: '#000000', dashed: true, points: readings('sgd') },
  { label: 'paper: RLVI', colour: '#000000', points: readings('rlvi') },
]

function readings(method: 'sgd' | 'rlvi'): Curve['points'] {
  return publishedReadings.map((reading) => ({ x: reading.samples, y: reading[method] / 100 }))
}

function levelFigure(
  data: string,
  { size, samples, flipped, methods }: SizeRuns,
  provenance: Provenance,
  document: PlotDocument,
): Figure {
  const line = (values: Float64Array | undefined): Curve['points'] =>
    Array.from(values ?? [], (y, b) => ({ x: samples[b] ?? 0, y }))
  const estimates = methods.filter(({ level, variant }) => level.length > 0 && variant === 'default')
  const curves: Curve[] = [
    { label: 'flipped', colour: '#000000', dashed: true, points: line(flipped[0]) },
    ...estimates.map((method) => ({
      label: 'estimated',
      colour: colours[method.method],
      points: line(method.level[0]),
    })),
  ]
  const id = `online-level-${size.train}`
  const title = `Share of flipped labels in each batch of ${size.train}`
  const text = { id, title, xLabel: 'training rows seen', yLabel: 'share of the batch' }
  const svg = curvePlot({ ...text, curves, height: 360 }, document)
  const caption = [
    `${title}: the truth, and what \`calibrated\` says as it reads the batch. The first of ${provenance.runs} runs, not smoothed. Data: ${data}.`,
    `Seed ${provenance.seed}, made by: ${provenance.command}`,
  ]
  return { id, svg, caption }
}

function nameOf({ method, variant }: MethodSeries): string {
  if (variant === 'default') return method
  return `${method}, ${variant.replace('weight ', '')}`
}

/** Mean and standard deviation over the runs, batch by batch. */
function points(samples: readonly number[], runs: readonly Float64Array[]): Curve['points'] {
  return samples.map((x, b) => {
    const values = runs.map((run) => run[b] ?? Number.NaN)
    const y = values.reduce((sum, value) => sum + value, 0) / values.length
    const squares = values.reduce((sum, value) => sum + (value - y) ** 2, 0)
    return values.length > 1 ? { x, y, spread: Math.sqrt(squares / (values.length - 1)) } : { x, y }
  })
}
