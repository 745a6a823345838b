import { show } from 'rlvi'

const MOST_NAMES = 10

/** How many rows each column costs, those with most gaps first. */
export function missingByColumn(missing: ReadonlyMap<string, number>): string {
  const worst = [...missing].sort((a, b) => b[1] - a[1])
  const names = worst.slice(0, MOST_NAMES).map(([name, count]) => `${show(name)} misses ${count}`)
  return names.join(', ') + (worst.length > MOST_NAMES ? ', …' : '')
}
