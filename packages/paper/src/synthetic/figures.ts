import { type Box, boxPlot, type Curve, curvePlot, type PlotDocument } from '@rlvi/report'
import type { Figure, Provenance } from '../shared/figure.js'
import type { Experiment, Panel } from './experiments.js'
import type { MethodName } from './problems/problem.js'
import type { MethodRuns } from './records.js'

// Okabe and Ito's colours, which the colour-blind can tell apart.
const colours: Readonly<Record<MethodName, string>> = {
  ML: '#8a8f98',
  Huber: '#cc79a7',
  SEVER: '#e69f00',
  RRM: '#009e73',
  RLVI: '#2a7fc4',
  calibrated: '#d55e00',
}

/** The figures of an experiment: a box plot for every panel and level, or a curve plot for every panel. */
export function figuresOf(
  experiment: Experiment,
  all: readonly MethodRuns[],
  provenance: Provenance,
  document: PlotDocument,
): Figure[] {
  return experiment.panels.flatMap((panel) => {
    const shown = all.filter(
      (runs) => runs.problem === panel.problem && !runs.diagnostic && (panel.shows?.(runs) ?? true),
    )
    const epsilons = [...new Set(shown.map((runs) => runs.epsilon))]
    if (experiment.form === 'curve') return [curves(panel, shown, provenance, document)]
    return epsilons.map((epsilon) => {
      const at = shown.filter((runs) => runs.epsilon === epsilon)
      const id = epsilons.length > 1 ? `${panel.id}-eps${epsilon}` : panel.id
      return boxes({ ...panel, id }, epsilon, at, provenance, document)
    })
  })
}

function boxes(
  panel: Panel,
  epsilon: number,
  shown: readonly MethodRuns[],
  provenance: Provenance,
  document: PlotDocument,
): Figure {
  const high = panel.range?.[1] ?? Number.POSITIVE_INFINITY
  const all: Box[] = shown.map((runs) => ({
    label: nameOf(runs, shown, '\n'),
    ...runs.summary,
    above: runs.errors.filter((error) => error > high).length,
  }))
  const title = `${panel.title}, ε = ${epsilon}`
  const { id, yLabel, range } = panel
  const svg = boxPlot({ id, title, yLabel, boxes: all, ...(range && { range }) }, document)
  const above = all.reduce((sum, box) => sum + (box.above ?? 0), 0)
  const failed = shown
    .filter((runs) => runs.summary.failed > 0)
    .map((runs) => `${nameOf(runs, shown, ' ')} ${runs.summary.failed}`)
  const beyond = all.some((box) => box.mean > high)
  const sentences = [
    `${title}, ${provenance.runs} data sets: quartiles (box), smallest and largest value (whiskers), median (line), `,
    `mean (red dot${beyond ? '; open triangle: above the axis' : ''}). `,
    above > 0
      ? `${above} of ${provenance.runs * all.length} values lie above the axis, which is that of the authors' figure. `
      : '',
    failed.length > 0
      ? `SEVER removed a whole class, and so has no estimate, in: ${failed.join(', ')} runs. `
      : '',
  ]
  const caption = [sentences.join(''), panel.about, panel.differences, made(provenance)]
  return { id, svg, caption }
}

function curves(
  panel: Panel,
  shown: readonly MethodRuns[],
  provenance: Provenance,
  document: PlotDocument,
): Figure {
  const first = shown.filter((runs) => runs.epsilon === shown[0]?.epsilon)
  const all: Curve[] = first.map((start) => ({
    label: nameOf(start, first, ', '),
    colour: colours[start.method],
    dashed: start.method !== 'calibrated' && !start.variants.includes('released'),
    points: shown
      .filter((runs) => runs.method === start.method && runs.variants === start.variants)
      .map(({ epsilon, summary }) => ({
        x: epsilon,
        y: summary.mean,
        ...(summary.runs > 1 && { spread: summary.sem }),
      })),
  }))
  const { id, title, yLabel, range } = panel
  const xLabel = 'corruption level ε'
  const svg = curvePlot({ id, title, xLabel, yLabel, curves: all, ...(range && { range }) }, document)
  const [low, high] = range ?? [0, Number.POSITIVE_INFINITY]
  const points = all.flatMap((curve) => curve.points)
  const outside = points.filter(({ y }) => y < low || y > high).length
  const levels = new Set(points.map(({ x }) => x)).size
  const sentences = [
    `${title}: mean over ${provenance.runs} data sets at each of ${levels} levels; bands: one standard error. `,
    outside > 0
      ? `${outside} of ${points.length} means lie outside the axis, which is that of the authors' figure. `
      : '',
  ]
  const caption = [sentences.join(''), panel.about, panel.differences, made(provenance)]
  return { id, svg, caption }
}

function made({ seed, command }: Provenance): string {
  return `Seed ${seed}, made by: ${command}`
}

/** The method, with its variant where another variant of it stands beside it. */
function nameOf(runs: MethodRuns, shown: readonly MethodRuns[], separator: string): string {
  if (shown.filter((other) => other.method === runs.method).length === 1) return runs.method
  return `${runs.method}${separator}${(runs.variants[0] ?? '').replace(/_epst.*/, '')}`
}
