import { at, type Drawn, featureOf, trusted, type View, view } from './view.js'

/** Pairs among more columns would take longer than the rest of the page. */
const MOST_COLUMNS = 40

/**
 * The two columns in which flagged rows lie farthest from good ones, as they are. Bad rows need not differ where good ones differ most:
 * those that are tall and light lie in the middle of the components of all that grows with size.
 */
export function apartView(drawn: Drawn): View | undefined {
  const { fit, points } = drawn
  const good = trusted(drawn)
  const columns = fit.design.names
    .slice(0, MOST_COLUMNS)
    .map((_, j) => at(points, (i) => featureOf(fit, i, j)))
  const places = Array.from(points.places.keys())
  const flagged = places.filter((k) => !good(k))
  const others = places.filter(good)
  if (flagged.length === 0 || others.length < 3) return undefined
  let [most, first, second] = [Number.NEGATIVE_INFINITY, 0, 1]
  for (let a = 0; a < columns.length; a++)
    for (let b = a + 1; b < columns.length; b++) {
      const far = distance(columns[a]!, columns[b]!, others, flagged)
      if (far > most) [most, first, second] = [far, a, b]
    }
  const { names } = fit.design
  return view(drawn, {
    id: 'apart',
    title: `${names[second]} against ${names[first]}`,
    caption: 'The two columns in which flagged rows lie farthest from good ones.',
    x: columns[first]!,
    y: columns[second]!,
    xLabel: names[first]!,
    yLabel: names[second]!,
  })
}

/** How far some rows lie from others in the spread of these (Mahalanobis), on the average of its logarithm: one row far out is not all. */
function distance(
  x: readonly number[],
  y: readonly number[],
  others: readonly number[],
  rows: readonly number[],
): number {
  const mean = (value: (k: number) => number): number =>
    others.reduce((sum, k) => sum + value(k), 0) / others.length
  const [mx, my] = [mean((k) => x[k]!), mean((k) => y[k]!)]
  const [xx, yy] = [mean((k) => (x[k]! - mx) ** 2), mean((k) => (y[k]! - my) ** 2)]
  const [sx, sy] = [Math.sqrt(xx) || 1, Math.sqrt(yy) || 1]
  const r = mean((k) => ((x[k]! - mx) / sx) * ((y[k]! - my) / sy))
  const left = Math.max(1 - r * r, 1e-6)
  const logs = rows.map((k) => {
    const [u, v] = [(x[k]! - mx) / sx, (y[k]! - my) / sy]
    return Math.log1p((u * u - 2 * r * u * v + v * v) / left)
  })
  return logs.reduce((sum, log) => sum + log, 0) / rows.length
}
