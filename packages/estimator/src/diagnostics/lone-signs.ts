import { show } from 'rlvi'
import { missing } from '../columns/missing.js'
import type { Words } from '../words.js'

/** Signs that people leave where there is nothing, and that are the name of hardly any category. */
const sign = /^(?:[-–—.?:*#/\\]+|…|\.[a-z]|n\/a|nan|#\S+[!?])$/i

const usual = missing()

/**
 * A remark on a category that may stand for a missing value, such as `.` or `n/a` among words: there it may be an answer, so it
 * is taken as one.
 */
export function loneSignRemark(column: string, values: readonly string[], words: Words): string | undefined {
  const found = values.filter((value) => sign.test(value) || usual.isText(value))
  if (found.length === 0 || values.length - found.length < 2) return undefined
  const [which, it] = found.length > 1 ? ['are categories', 'them'] : ['is a category', 'it']
  // Without other signs it would have been missing.
  const since = found.some(usual.isText)
    ? `, since the signs of ${words.option('missing')} are in place of the usual ones`
    : ''
  const how = since === '' ? words.option('missing', found) : `${words.option('missing', found)} beside those`
  return `column ${show(column)}: ${found.map(show).join(', ')} ${which} like the others${since}; ${how} takes ${it} as missing`
}

/** A remark on what else a sign that is named costs, where cells are empty or hold a usual one, which of them is not known. */
export function usualSignsRemark(remarks: readonly string[], words: Words): string | undefined {
  const [before = ''] = words.option('missing', ['NA']).split('NA')
  if (!remarks.some((remark) => remark.includes(before))) return undefined
  return `what ${words.option('missing')} names is in place of the usual signs: where there are such, as NA, null or -, name them beside it`
}
