import { type Matrix, RlviError, type Status } from 'rlvi'
import type { DesignColumn } from '../encoding/encoding.js'
import type { Words } from '../words.js'
import { dependent, fewerColumns } from './design.js'
import { separable } from './separation.js'

/** Throws where a fit is not worth showing, by the names of columns; otherwise how it ended. */
export function judge(status: Status, x: Matrix, columns: readonly DesignColumn[], words: Words): Status {
  if (status.kind !== 'degenerate') return status
  switch (status.reason) {
    case 'collinear':
    case 'singular': {
      const on = 'the other columns, in the rows that the fit trusts'
      throw dependent(x, columns, status.columns ?? [], on, words)
    }
    case 'few-rows':
      throw new RlviError('rows', status.message, x.rows, fewerColumns(words))
    case 'one-class':
      throw new RlviError('target', 'at least two classes are needed in the rows that the fit trusts', 1)
    case 'not-finite': {
      const plain = `use ${words.option('method', 'ml')} to see the maximum-likelihood fit`
      throw new RlviError(
        'fit',
        status.message,
        'no result',
        `look for values that are far too large, or ${plain}`,
      )
    }
    case 'separable':
      return separable
    default:
      return status
  }
}

/** What a person should know of how a fit ended; `isNamed` where another remark names the columns that an exact fit comes from. */
export function statusRemark(status: Status, words: Words, isNamed = false): string | undefined {
  if (status.kind === 'converged') return undefined
  const what = status.kind === 'degenerate' ? status.reason : status.kind
  const todo =
    what === 'exact-fit' && !isNamed
      ? `; if a feature was computed from the target, as a total is, leave it out by ${words.option('exclude')}`
      : ''
  return `${what}: ${status.message}${todo}`
}
