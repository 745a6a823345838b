import { type Corruption, type Matrix, takeRows } from 'rlvi'
import { columnsOf } from '../encoding/design.js'
import { independentPlaces } from '../fit/determined.js'
import type { Separation } from './separation.js'

/** Rows with their labels, and what a fit says of them. */
export interface JudgedLabels {
  readonly x: Matrix
  /** The place of each row's label. */
  readonly y: Float64Array
  /** P(row is good). */
  readonly clean: Float64Array
  readonly intercept: boolean
}

/** Rows and labels from 0 on, of so many classes; where the share of wrong ones can be expected, if that is known. */
export type LevelOf = (x: Matrix, y: Float64Array, classes: number) => Corruption['interval']

/** A part that has so large a share of the rows is what all of them are. */
const NEARLY_ALL = 0.9

/**
 * Where a category has a label of its own, the other rows say nothing of the border between that label and others: wrong labels
 * there look like a soft border, which costs a fit of all rows nothing. So the parts that a label divides the rows into are fitted
 * one by one, and the interval of the share of wrong labels is made to hold what they say together.
 */
export function withHiddenLabels(
  corruption: Corruption,
  rows: JudgedLabels,
  found: readonly Separation[],
  levelOf: LevelOf,
): Corruption {
  const { interval } = corruption
  if (interval === undefined) return corruption
  let [low, high] = interval
  const known = new Map<string, readonly [number, number]>()
  for (const { sides } of found) {
    const side = sides(rows.x)
    const key = side.join('')
    const opposite = side.map((which) => -which).join('')
    if (known.has(key) || known.has(opposite)) continue
    const own = inParts(rows, side, interval, levelOf)
    known.set(key, own)
    low = Math.min(low, own[0])
    high = Math.max(high, own[1])
  }
  return { ...corruption, interval: [low, high] }
}

function inParts(
  rows: JudgedLabels,
  side: Int8Array,
  all: readonly [number, number],
  levelOf: LevelOf,
): readonly [number, number] {
  let [low, high] = [0, 0]
  for (const which of [-1, 0, 1]) {
    const places = Int32Array.from(side.keys()).filter((i) => side[i] === which)
    const share = places.length / side.length
    if (share === 0) continue
    const [least, most] = share > NEARLY_ALL ? all : intervalOf(rows, places, levelOf)
    low += share * least
    high += share * most
  }
  return [low, high]
}

function intervalOf(
  { x, y, clean, intercept }: JudgedLabels,
  places: Int32Array,
  levelOf: LevelOf,
): readonly [number, number] {
  const counts = new Map<number, number>()
  for (const i of places) counts.set(y[i]!, (counts.get(y[i]!) ?? 0) + 1)
  if (counts.size < 2) {
    const bad = places.reduce((sum, i) => sum + 1 - clean[i]!, 0) / places.length
    return [bad, bad]
  }
  const labels = [...counts.keys()].sort((a, b) => a - b)
  const own = takeRows(x, places)
  const kept = independentPlaces(own, intercept)
  const labelled = Float64Array.from(places, (i) => labels.indexOf(y[i]!))
  const found = kept.length === 0 ? undefined : levelOf(columnsOf(own, kept), labelled, labels.length)
  // Whatever is not the most frequent label may be wrong.
  return found ?? [0, 1 - Math.max(...counts.values()) / places.length]
}
