import type { ErrorLaw } from 'rlvi'

/** Whether good rows are what the model takes them for without a word: normal, or for counts Poisson. */
export function isPlainLaw({ name, growth }: ErrorLaw): boolean {
  return (name === 'normal' || name === 'poisson') && growth === undefined
}

/**
 * The law of good rows' errors in words, to follow `good rows: `.
 *
 * @example
 * errorLawText({ name: 'student', degreesOfFreedom: 4.2 })
 * // 'heavier tails than normal (Student t, 4.2 degrees of freedom)'
 */
export function errorLawText(law: ErrorLaw): string {
  const shape = shapeText(law)
  if (law.growth === undefined) return shape ?? 'normal, with a scatter that follows the prediction'
  const scatter = `their scatter ${growthText(law.growth)}`
  return shape === undefined ? scatter : `${shape}; ${scatter}`
}

/** Undefined where the scatter is all that there is to say. */
function shapeText({ name, degreesOfFreedom, above, columns, dispersion }: ErrorLaw): string | undefined {
  switch (name) {
    case 'normal':
      return 'normal'
    case 'poisson':
      return 'Poisson counts'
    case 'varying':
      return undefined
    case 'student':
      return degreesOfFreedom === undefined
        ? 'heavier tails than normal (Student t)'
        : tails(degreesOfFreedom)
    case 'light':
      return 'lighter tails than normal, as values within bounds have'
    case 'skewed':
      if (above !== undefined) return skew(above)
      return columns === undefined ? 'skewed' : skewedColumns(columns.length, degreesOfFreedom)
    case 'negative-binomial':
      return dispersion === undefined
        ? 'overdispersed counts (negative binomial)'
        : overdispersion(dispersion)
  }
}

// A law that was asked for need not be one that the rows speak for: each says so where it hardly differs.

/** From here on nobody tells t from normal by its tails. */
const MANY_DEGREES = 30

function tails(degrees: number): string {
  const many = degrees > 100 ? 'over 100' : rounded(degrees)
  return `${degrees > MANY_DEGREES ? 'tails much like normal ones' : 'heavier tails than normal'} (Student t, ${many} degrees of freedom)`
}

function skew(above: number): string {
  const right = above > 0.5
  const percent = Math.round(100 * (right ? above : 1 - above))
  if (percent === 50) return 'hardly skewed, half of them lie above the peak'
  return `skewed, ${percent} % lie ${right ? 'above' : 'below'} the peak, heavier tail on the ${right ? 'right' : 'left'}`
}

/** With the tails that are left once the columns are symmetric. */
function skewedColumns(count: number, degrees: number | undefined): string {
  const columns = `skewed in ${count} column${count === 1 ? '' : 's'}`
  return degrees === undefined ? columns : `${columns}, apart from that ${tails(degrees)}`
}

function growthText(growth: number): string {
  const times = rounded(growth)
  const how = times === '1' ? 'hardly changes' : growth > 1 ? 'grows' : 'shrinks'
  return `${how} with the prediction (times ${times} per standard deviation of the predictions)`
}

function overdispersion(dispersion: number): string {
  if (!(dispersion > 1e-6)) return 'counts as scattered as Poisson ones (negative binomial, variance m)'
  return `overdispersed counts (negative binomial, variance m + ${rounded(dispersion)} m²)`
}

/** Two digits, without an exponent where people write none. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(2)))
}
