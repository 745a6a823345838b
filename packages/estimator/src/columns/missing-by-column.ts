import { show } from 'rlvi'

const MOST_NAMES = 10

/** One row without values, or a column alone with gaps at its end, is no reason to think of rows below the table. */
const FEWEST_ROWS = 2
const FEWEST_COLUMNS = 2

/** How many rows each column costs, those with most gaps first; empty rows below a table are counted by themselves, since no column costs them. */
export function missingByColumn(missing: ReadonlyMap<string, number>, emptyBelow: number): string {
  const worst = byCost(missing, emptyBelow)
  const names = worst.slice(0, MOST_NAMES).map(([name, count]) => `${show(name)} misses ${count}`)
  const below = areBelow(missing, emptyBelow)
  if (below > 0) names.unshift(`the last ${below} have no value in the columns that are used`)
  return names.join(', ') + (worst.length > MOST_NAMES ? ', …' : '')
}

/** The columns that cost rows which have values, with how many. */
export function byCost(
  missing: ReadonlyMap<string, number>,
  emptyBelow: number,
): [name: string, count: number][] {
  const below = areBelow(missing, emptyBelow)
  const costs = [...missing].map(([name, count]): [string, number] => [name, count - below])
  return costs.filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1])
}

/** How many empty rows stand below the table. */
export function areBelow(missing: ReadonlyMap<string, number>, emptyBelow: number): number {
  return emptyBelow >= FEWEST_ROWS && missing.size >= FEWEST_COLUMNS ? emptyBelow : 0
}
