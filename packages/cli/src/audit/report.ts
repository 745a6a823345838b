import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Block,
  type GalleryItem,
  levelPlot,
  page,
  svgDocument,
  type TableBlock,
  type TilesBlock,
} from '@rlvi/report'
import { rowHeader } from '../terminal/row-number.js'
import type { ImageFindings } from './images.js'
import {
  type Findings,
  isOfLabels,
  pairsOf,
  type Suspect,
  shareText,
  summaryOf,
  worthALook,
} from './suspects.js'
import { saidColumns } from './text.js'

/** Bytes of pictures on a page: more than this no browser shows with pleasure. */
const MOST_BYTES = 20e6
/** With more labels than this a table of all pairs cannot be read: then the most frequent pairs are listed. */
const MOST_LABELS = 12
/** Habits on a page, where they are listed. */
const MOST_HABITS = 20

/** What a report is made of, beside the findings. */
export interface ReportOptions {
  readonly top: number
  /** The command line, for who reads it later. */
  readonly command: string
  /** Where it will be: links to files start there. */
  readonly path: string
}

/** One page with the suspects, worst first: the images in it, or a table where there are none. */
export async function reportPage(found: Findings | ImageFindings, options: ReportOptions): Promise<string> {
  const { name, how } = found
  const shown = worthALook(found, options.top)
  const which =
    shown.length === 0
      ? `No ${isOfLabels(found) ? 'label' : 'number'} is suspected.`
      : `${shown.length} suspects, worst first.`
  const blocks: Block[] = [tiles(found, shown.length), ...warnings(found), ...level(found)]
  blocks.push(...habitsTable(found), ...pairs(found))
  if (shown.length > 0)
    blocks.push(
      { kind: 'heading', text: isOfLabels(found) ? 'The suspicious labels' : 'The suspicious numbers' },
      {
        kind: 'paragraph',
        text: 'Worst first. A suspicion is a question, not a verdict: look before you change it.',
      },
      ...('picture' in found ? await gallery(found, shown, options.path) : [table(found, shown)]),
    )
  blocks.push(...unreadable(found), ...made(found, options))
  const lead = `${summaryOf(found)}. ${which}`
  return page({
    kind: `rlvi audit · ${how}`,
    title: `Suspicious ${isOfLabels(found) ? 'labels' : 'numbers'} in ${name}`,
    lead,
    blocks,
  })
}

/** The answer in numbers. */
function tiles(found: Findings, shown: number): TilesBlock {
  const { suspects, flagged, level: share, interval } = found
  const what = isOfLabels(found) ? 'labels' : 'numbers'
  const range = interval && { note: `90 % interval ${shareText(interval[0])} to ${shareText(interval[1])}` }
  return {
    kind: 'tiles',
    items: [
      { name: `${what === 'labels' ? 'Labels' : 'Numbers'} looked at`, value: String(suspects.length) },
      ...(share === undefined ? [] : [{ name: 'Estimated to be wrong', value: shareText(share), ...range }]),
      ...(what === 'labels'
        ? [
            {
              name: 'Look like another',
              value: String(pairsOf(found).reduce((sum, { count }) => sum + count, 0)),
              note: what,
            },
          ]
        : []),
      { name: 'More probably wrong than right', value: String(flagged), note: what, isBad: flagged > 0 },
      { name: 'On this page', value: String(shown), note: 'suspects' },
    ],
  }
}

function warnings({ cautions, remarks }: Findings): Block[] {
  const items = cautions.map(({ message }) => `Caution: ${message}`)
  return [
    ...(items.length === 0 ? [] : [{ kind: 'cautions', items } as const]),
    // Some say what the numbers below are worth.
    ...(remarks.length === 0 ? [] : [{ kind: 'list', items: remarks } as const]),
  ]
}

function level({ level: share, interval }: Findings): Block[] {
  if (share === undefined) return []
  const range =
    interval === undefined
      ? ''
      : ` It lies between ${shareText(interval[0])} and ${shareText(interval[1])} with a probability of 90 %.`
  const caption = [`About ${shareText(share)} are estimated to be wrong.${range}`]
  return [
    { kind: 'heading', text: 'How much is wrong' },
    { kind: 'figure', svg: levelPlot(share, interval, svgDocument()), caption },
  ]
}

function made({ how, seconds }: Findings, { command }: ReportOptions): Block[] {
  const items = [
    ['command', command],
    ['found by', how],
    ['time', `${seconds.toPrecision(3)} s`],
  ] as const
  return [
    { kind: 'heading', text: 'How this was made' },
    { kind: 'facts', items },
  ]
}

const whichForWhich: Block = { kind: 'heading', text: 'Which are taken for which' }

/** How often a class is given the label of another: of few classes all of T, of many the most frequent. */
function habitsTable({ habits = [], matrix }: Findings): Block[] {
  const share = (value: number): string => (100 * value).toFixed(1)
  if (matrix !== undefined && matrix.classes.length <= MOST_LABELS) {
    const { classes, shares } = matrix
    const rows = classes.map((name, c) => [
      name,
      ...shares[c]!.map((value) => (value === 0 ? '' : share(value))),
    ])
    const caption =
      'Which classes are taken for which: how often a class (row) gets a label (column), in percent'
    return [whichForWhich, { kind: 'table', as: 'matrix', caption, head: ['', ...classes], rows }]
  }
  if (habits.length === 0) return []
  const rows = habits
    .slice(0, MOST_HABITS)
    .map(({ truth, label, share: often }) => [truth, label, `${share(often)} %`])
  const caption = 'The habits of wrong labels: how often those of the one are labelled as the other'
  return [
    whichForWhich,
    { kind: 'table', caption, head: ['true label', 'labelled as', 'share'], rows, words: 2 },
  ]
}

/** Label against suggestion: which are taken for which. */
function pairs(found: Findings): Block[] {
  const all = pairsOf(found)
  if (all.length === 0) return []
  const heading = habitsTable(found).length > 0 ? [] : [whichForWhich]
  const labels = [...new Set(all.flatMap(({ label, suggested }) => [label, suggested]))].sort()
  if (labels.length > MOST_LABELS) {
    const rows = all.slice(0, 20).map(({ label, suggested, count }) => [label, suggested, String(count)])
    const caption = 'The most frequent: label, and what it looks like'
    return [...heading, { kind: 'table', caption, head: ['label', 'looks like', 'how many'], rows, words: 2 }]
  }
  const count = (label: string, suggested: string): string =>
    String(all.find((pair) => pair.label === label && pair.suggested === suggested)?.count ?? '')
  const rows = labels.map((label) => [label, ...labels.map((suggested) => count(label, suggested))])
  return [
    ...heading,
    {
      kind: 'table',
      as: 'matrix',
      caption: 'Label (row) against what it looks like (column)',
      head: ['', ...labels],
      rows,
    },
  ]
}

async function gallery(found: ImageFindings, shown: readonly Suspect[], report: string): Promise<Block[]> {
  const items: GalleryItem[] = []
  let bytes = 0
  for (const suspect of shown) {
    const { bytes: image, type } = await found.picture(suspect)
    bytes += image.length
    if (bytes > MOST_BYTES) break
    const path = found.path(suspect)
    const link = path === undefined ? {} : { href: linkTo(path, report) }
    items.push({ image, type, lines: linesOf(suspect), ...link })
  }
  const rest = shown.length - items.length
  const note = `${rest} more have no room on this page: --decisions and --rows have them.`
  return [{ kind: 'gallery', items }, ...(rest > 0 ? [{ kind: 'paragraph', text: note } as const] : [])]
}

/** From where the report is, so that both can move together. */
function linkTo(path: string, report: string): string {
  const way = relative(dirname(resolve(report)), resolve(path))
  if (isAbsolute(way)) return pathToFileURL(way).href
  return way.split(/[\\/]/).map(encodeURIComponent).join('/')
}

/** Columns of a row that a page shows. */
const MOST_VALUES = 40

function table(found: Findings, shown: readonly Suspect[]): TableBlock {
  const { values } = found
  const columns = saidColumns(found)
  const names = values?.names.slice(0, MOST_VALUES) ?? []
  const head = [rowHeader, ...columns.map((column) => column.name), ...names]
  const rows = shown.map((suspect) => [
    String(suspect.row),
    ...columns.map(({ text }) => text(suspect)),
    ...(values?.of(suspect).slice(0, MOST_VALUES) ?? []),
  ])
  const left = (values?.names.length ?? 0) - names.length
  const caption = left > 0 ? { caption: `${left} more columns are in the file.` } : {}
  return { kind: 'table', as: 'cards', head, rows, words: isOfLabels(found) ? 3 : 0, ...caption }
}

function unreadable({ unreadable: files }: Findings): Block[] {
  if (files.length === 0) return []
  return [
    { kind: 'heading', text: 'Images that could not be read' },
    { kind: 'list', items: files.map(({ file, reason }) => `${file}: ${reason}`) },
  ]
}

/** The suggestion first: it is what a person compares with the picture. The last line is what a link goes by. */
function linesOf({ row, file, label, suggested, probability, loss }: Suspect): string[] {
  const looks =
    label === suggested
      ? `${label} still is the likeliest (${percent(probability!)})`
      : `looks like ${suggested} (${percent(probability!)})`
  return [looks, `labelled ${label} (${percent(Math.exp(-loss))})`, file ?? `row ${row}`]
}

function percent(share: number): string {
  return share > 0 && share < 0.005 ? '< 1 %' : `${(100 * share).toFixed(0)} %`
}
