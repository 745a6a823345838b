import type { BadFrom } from 'rlvi'
import type { ResponseUnits, Units } from '../fit/units.js'
import type { Fitted } from '../model/saved-model.js'

/** From where on rows count as bad, in the table's own units, from what it is in those of the fit; `fitted` is in the table's. */
export function inTableUnits(
  badFrom: BadFrom | undefined,
  fitted: Fitted,
  units: Units,
  answer: ResponseUnits,
): BadFrom | undefined {
  if (badFrom === undefined) return undefined
  if ('distance' in badFrom) {
    const deviation = onlyDeviation(fitted)
    if (deviation === undefined) return badFrom
    return { above: badFrom.distance * deviation, below: badFrom.distance * deviation }
  }
  const { centre, scale } = fitted.model === 'mean' ? { centre: 0, scale: units.scale[0]! } : answer
  const { above, below, at } = badFrom
  return {
    ...(above === undefined ? {} : { above: above * scale }),
    ...(below === undefined ? {} : { below: below * scale }),
    ...(at === undefined ? {} : { at: at * scale + centre }),
  }
}

/** The standard deviation of good rows, where there is but one column. */
function onlyDeviation(fitted: Fitted): number | undefined {
  if (fitted.model === 'mean' && fitted.params.scale.length === 1) return fitted.params.scale[0]
  if (fitted.model === 'covariance' && fitted.params.covariance.length === 1)
    return Math.sqrt(fitted.params.covariance[0]![0]!)
  return undefined
}

/**
 * From where on rows count as bad, in words.
 *
 * @example
 * badFromText({ above: 4.21, below: 4.21 }, 'linear')
 * // "rows count as bad from about 4.2 off the prediction on; smaller errors look like good rows' scatter"
 */
export function badFromText(badFrom: BadFrom, model: Fitted['model']): string | undefined {
  const said = model === 'poisson' ? countsText(badFrom) : offText(badFrom, model)
  return said && `${said}; smaller errors look like good rows' scatter`
}

function offText(badFrom: BadFrom, model: Fitted['model']): string | undefined {
  if ('distance' in badFrom)
    return `rows count as bad from about ${brief(badFrom.distance)} standard deviations off on`
  const { above, below, at } = badFrom
  if (above === undefined || below === undefined) return undefined
  const what = model === 'linear' ? 'the prediction' : 'the mean'
  const [up, down] = [brief(above), brief(below)]
  const far = up === down ? `${up} off ${what}` : `${up} above and ${down} below ${what}`
  const where = at === undefined ? '' : `, where ${brief(at, 3)} is predicted`
  return `rows count as bad from about ${far} on${where}`
}

/** Counts themselves say more than how far they are off. */
function countsText(badFrom: BadFrom): string | undefined {
  if ('distance' in badFrom || badFrom.at === undefined) return undefined
  const { above, below, at } = badFrom
  const high = above === undefined ? undefined : `${Math.round(at + above)} on`
  const low = below === undefined ? undefined : Math.max(0, Math.round(at - below))
  if (high === undefined && low === undefined) return undefined
  const small = low === undefined ? '' : low === 0 ? '0' : `up to ${low}`
  const which =
    high === undefined
      ? `counts of ${small}`
      : `counts from about ${high}${low === undefined ? ' (none for being small)' : `, and of ${small},`}`
  return `where ${brief(at, 3)} is predicted, ${which} count as bad`
}

/** Without an exponent where people write none. */
function brief(value: number, digits = 2): string {
  return String(Number(value.toPrecision(digits)))
}
