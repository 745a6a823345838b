import { flagBelow, type TableFit } from '@rlvi/estimator'
import { rowsUsed } from './rows-used.js'

/** Rows that are drawn as points. */
export interface Points {
  /** Places among the rows of the fit, the best first: what is suspicious lies on top, and a threshold is a cut. */
  readonly places: Int32Array
  /** Rows that are flagged, and how many of them are drawn. */
  readonly flagged: number
  readonly flaggedDrawn: number
}

/** More points than this nobody sees apart, and a file would grow with its table. */
const MOST_DOUBTFUL = 1200
const MOST_GOOD = 1200
/** Below this a slider may flag a row. */
const DOUBTFUL = 0.99

/** All rows of a small table; of a large one all flagged rows up to a bound, and evenly taken others. */
export function pointsOf({ clean, part, flagged: all }: TableFit): Points {
  const flagged: number[] = []
  const doubtful: number[] = []
  const good: number[] = []
  clean.forEach((p, i) => {
    const group = p < flagBelow ? flagged : p < DOUBTFUL ? doubtful : good
    group.push(i)
  })
  // Behind an even sample stand the worst rows: where not all flagged ones are there, they would give a wrong picture.
  const even = part === undefined ? [] : flagged.filter((i) => i < clean.length - (part.beside ?? 0))
  const isWhole = part === undefined || all <= part.worst || even.length === 0
  const flaggedDrawn = evenly(isWhole ? flagged : even, MOST_DOUBTFUL)
  const others = evenly(doubtful, Math.max(200, MOST_DOUBTFUL - flaggedDrawn.length))
  const places = Int32Array.from([...evenly(good, MOST_GOOD), ...others, ...flaggedDrawn])
  places.sort((a, b) => clean[b]! - clean[a]! || a - b)
  return { places, flagged: all, flaggedDrawn: flaggedDrawn.length }
}

/** At most so many of a list, evenly taken. */
export function evenly<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all]
  return Array.from({ length: most }, (_, k) => all[Math.floor((k * all.length) / most)]!)
}

/** What a caption says of points that are not drawn. */
export function thinned({ places, flagged, flaggedDrawn }: Points, fit: TableFit): string {
  const rows = rowsUsed(fit)
  if (places.length === rows) return ''
  const bad =
    flagged === flaggedDrawn ? 'all flagged ones' : `${count(flaggedDrawn)} of ${count(flagged)} flagged ones`
  return `${count(places.length)} of ${count(rows)} rows are drawn: ${bad}, and others evenly taken.`
}

/** A whole number with its thousands apart. */
export function count(value: number): string {
  return value.toLocaleString('en')
}
