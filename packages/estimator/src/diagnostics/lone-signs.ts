import { show } from 'rlvi'
import type { Words } from '../words.js'

/** Signs that people leave where there is nothing, and that are the name of hardly any category. */
const sign = /^(?:[-–—.?:*#/\\]+|…|\.[a-z]|n\/a|nan|#\S+[!?])$/i

/**
 * A remark on a category that may stand for a missing value, such as `.` or `n/a` among words: there it may be an answer, so it
 * is taken as one.
 */
export function loneSignRemark(column: string, values: readonly string[], words: Words): string | undefined {
  const found = values.filter((value) => sign.test(value))
  if (found.length === 0 || values.length - found.length < 2) return undefined
  const [which, it] = found.length > 1 ? ['are categories', 'them'] : ['is a category', 'it']
  return `column ${show(column)}: ${found.map(show).join(', ')} ${which} like the others; ${words.option('missing', found)} takes ${it} as missing`
}
