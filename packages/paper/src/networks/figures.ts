import { type Curve, curvePlot, type PlotDocument } from '@rlvi/report'
import { type EpochLine, methodTitles, type NetworkMethod } from '@rlvi/vision'
import type { Figure } from '../shared/figure.js'
import type { CellResult } from './cell.js'
import { meanAndSd } from './table.js'

// Okabe and Ito's colours, which the colour-blind can tell apart.
const colours: Readonly<Record<NetworkMethod, string>> = {
  standard: '#8a8f98',
  coteaching: '#cc79a7',
  jocor: '#e69f00',
  cdr: '#56b4e9',
  usdnl: '#b8a800',
  bare: '#009e73',
  rlvi: '#2a7fc4',
  'rlvi-untruncated': '#2a7fc4',
  posterior: '#d55e00',
}

/** For each noise and rate the accuracy of all methods over the epochs, and what RLVI takes for clean and for corrupt. */
export function networkFigures(
  results: readonly CellResult[],
  command: string,
  document: PlotDocument,
): Figure[] {
  const settings = new Map(results.map((result) => [`${result.cell.noise}-${result.cell.rate}`, result.cell]))
  return [...settings.values()].flatMap(({ dataset, noise, rate, epochs }) => {
    const here = results.filter(({ cell }) => cell.noise === noise && cell.rate === rate)
    const setting =
      noise === 'none'
        ? `${dataset}, assumed ${Math.round(100 * rate)} %`
        : `${dataset}, ${noise} ${Math.round(100 * rate)} %`
    const id = `${dataset}-${noise}-${rate}-${epochs}epochs`
    return [
      ...accuracyFigure(here, setting, id, command, document),
      ...identifiedFigure(here, setting, id, command, document),
    ]
  })
}

function accuracyFigure(
  results: readonly CellResult[],
  setting: string,
  id: string,
  command: string,
  document: PlotDocument,
): Figure[] {
  const curves = methodsOf(results).map((method): Curve => {
    const points = pointsOf(results, method, (line) => line.test)
    return {
      label: methodTitles[method],
      colour: colours[method],
      dashed: method === 'rlvi-untruncated',
      points,
    }
  })
  if (curves.every(({ points }) => points.length < 2)) return []
  const title = `Test accuracy, ${setting}`
  const lowest = Math.min(...curves.flatMap(({ points }) => points.map(({ y, spread = 0 }) => y - spread)))
  const range = [Math.max(0, Math.floor(lowest * 10) / 10), 1.003] as const
  const text = { id: `${id}-accuracy`, title, xLabel: 'epoch', yLabel: 'test accuracy' }
  const svg = curvePlot({ ...text, curves, range }, document)
  return [{ id: text.id, svg, caption: [captionOf(title, results), `Made by: ${command}`] }]
}

function identifiedFigure(
  results: readonly CellResult[],
  setting: string,
  id: string,
  command: string,
  document: PlotDocument,
): Figure[] {
  const shown = methodsOf(results).filter((method) =>
    results.some(({ cell, epochs }) => cell.method === method && epochs.at(-1)?.corruptCaught !== undefined),
  )
  const curves = shown.flatMap((method): Curve[] => {
    const dashed = method === 'rlvi-untruncated'
    const name = methodTitles[method]
    return [
      {
        label: `${name}: clean`,
        colour: '#009e73',
        dashed,
        points: pointsOf(results, method, (l) => l.cleanKept),
      },
      {
        label: `${name}: corrupt`,
        colour: '#d55e00',
        dashed,
        points: pointsOf(results, method, (l) => l.corruptCaught),
      },
    ]
  })
  if (curves.every(({ points }) => points.length < 2)) return []
  const title = `Labels taken for what they are, ${setting}`
  const text = { id: `${id}-identified`, title, xLabel: 'epoch', yLabel: 'share' }
  const svg = curvePlot({ ...text, curves, range: [0, 1.003], height: 360 }, document)
  const before = 'Before truncation begins every label counts as clean.'
  return [{ id: text.id, svg, caption: [captionOf(title, results), before, `Made by: ${command}`] }]
}

function captionOf(title: string, results: readonly CellResult[]): string {
  const seeds = new Set(results.map(({ cell }) => cell.seed)).size
  const [first] = results
  const some = first?.cell.limit === undefined ? '' : ` Trained on ${first.cell.limit} of the images only.`
  const spread = seeds === 1 ? 'one run' : `mean over ${seeds} runs, bands: one standard deviation`
  return `${title}: ${spread}.${some}`
}

function methodsOf(results: readonly CellResult[]): NetworkMethod[] {
  return [...new Set(results.map(({ cell }) => cell.method))]
}

/** Mean and standard deviation over the runs, epoch by epoch. */
function pointsOf(
  results: readonly CellResult[],
  method: NetworkMethod,
  value: (line: EpochLine) => number | undefined,
): Curve['points'] {
  const runs = results.filter(({ cell }) => cell.method === method)
  const epochs = runs[0]?.cell.epochs ?? 0
  return Array.from({ length: epochs }, (_, e) => {
    const values = runs.flatMap((run) => value(run.epochs[e]!) ?? [])
    const { mean: y, sd } = meanAndSd(values)
    return Number.isNaN(sd) ? { x: e + 1, y } : { x: e + 1, y, spread: sd }
  }).filter(({ y }) => !Number.isNaN(y))
}
