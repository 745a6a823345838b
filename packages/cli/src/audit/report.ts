import { type Block, page } from '@rlvi/report'
import { rowHeader } from '../terminal/layout.js'
import type { ImageFindings } from './images.js'
import { type Findings, isOfLabels, type Suspect, summaryOf } from './suspects.js'
import { saidColumns } from './text.js'

/** One page with the suspects, worst first: the images in it, or a table where there are none. */
export async function reportPage(
  found: Findings | ImageFindings,
  top: number,
  command: string,
): Promise<string> {
  const { name, suspects, how, cautions } = found
  const shown = suspects.slice(0, top)
  const lead = `${summaryOf(found)}. The ${shown.length} most suspicious, worst first.`
  const blocks: Block[] = [{ kind: 'code', text: command }]
  if (cautions.length > 0)
    blocks.push({ kind: 'list', items: cautions.map(({ message }) => `Caution: ${message}`) })
  if ('picture' in found) {
    const items = []
    for (const suspect of shown) items.push({ png: await found.picture(suspect), lines: linesOf(suspect) })
    blocks.push({ kind: 'gallery', items })
  } else {
    const columns = saidColumns(found)
    const head = [rowHeader, ...columns.map((column) => column.name)]
    const rows = shown.map((suspect) => [String(suspect.row), ...columns.map(({ text }) => text(suspect))])
    blocks.push({ kind: 'table', head, rows, words: isOfLabels(found) ? 3 : 0 })
  }
  const footer = `Found by rlvi: ${how}. A suspicion is a question, not a verdict: look before you change it.`
  return page({
    title: `Suspicious ${isOfLabels(found) ? 'labels' : 'numbers'} in ${name}`,
    lead,
    blocks,
    footer,
  })
}

function linesOf({ row, file, label, suggested, probability, loss }: Suspect): string[] {
  const same =
    label === suggested
      ? `${label} still is the likeliest`
      : `looks like ${suggested} (${percent(probability!)})`
  return [`labelled ${label} (${percent(Math.exp(-loss))})`, same, file ?? `row ${row}`]
}

function percent(share: number): string {
  return share > 0 && share < 0.005 ? '< 1 %' : `${(100 * share).toFixed(0)} %`
}
