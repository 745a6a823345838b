import type { OnlineMethod } from '../options.js'

/** Keeps a level off 0 and 1: this share, worth so many rows. */
const FLOOR = { level: 0.1, rows: 1 }
/** The history stands for at most so many rows. */
const MEMORY = 2000

/** The corruption level's history, to be changed in place (see `OnlineHistory`). */
export interface History {
  rows: number
  bad: number
  squares: number
  surprise: number
  surpriseSquares: number
}

const nothing: Readonly<History> = { rows: 0, bad: 0, squares: 0, surprise: 0, surpriseSquares: 0 }

/**
 * Before any row the calibrated method takes a quarter of the labels for random ones: a model that expects wrong labels
 * becomes sharp enough to find them, and on good rows the level soon falls. It is worth 200 rows, and fades.
 */
export function firstHistory(method: OnlineMethod): History {
  return method === 'calibrated' ? { ...nothing, rows: 200, bad: 50 } : { ...nothing }
}

/** The level of the recent past, and the baseline of drift detection. */
export function recentLevel({ rows, bad }: Readonly<History>): number {
  return (bad + FLOOR.level * FLOOR.rows) / (rows + FLOOR.rows)
}

/** How far a batch is off the recent level as a rule. */
export function recentSpread({ rows, squares }: Readonly<History>): number {
  return Math.sqrt(squares / (rows + FLOOR.rows))
}

/** Takes a batch's level into the history, which fades as rows come in. */
export function remember(history: History, level: number, rows: number): void {
  const kept = MEMORY / (MEMORY + rows)
  history.squares = (history.squares + rows * (level - recentLevel(history)) ** 2) * kept
  history.bad = (history.bad + level * rows) * kept
  history.rows = (history.rows + rows) * kept
}
