import { phrase, RlviError, show } from 'rlvi'
import type { Words } from '../words.js'

/**
 * Why a feature was left out: it never varies, has no value in any row or in most, another text in each or in most, repeats another one,
 * other columns determine it, or it is a category of bad rows alone.
 */
export type Reason =
  | 'constant'
  | 'empty'
  | 'mostly-empty'
  | 'names'
  | 'hardly-repeated'
  | 'copy'
  | 'determined'
  | 'untrusted'

/** A feature that nothing can be learned from. */
export interface LeftOut {
  readonly column: string
  readonly reason: Reason
  /** The value of a constant one; of a copy the name of the column that it repeats; of one that is mostly empty in how many rows it is. */
  readonly value?: unknown
  /** Of a constant one that was left out for all rows: how many have no value. */
  readonly gaps?: number
}

const reasons: Readonly<Record<Reason, string>> = {
  constant: 'never vary',
  empty: 'have no values',
  'mostly-empty': 'are empty in most rows, which they would cost',
  names: 'have another text in every row, as names and ids do',
  'hardly-repeated': 'have more different texts than one for every two rows, as names and ids do',
  copy: 'repeat another one, or it in other units',
  determined: 'other columns determine',
  untrusted: 'too few rows hold that the fit trusts',
}

/** One remark for each reason, with all of its columns. */
export function leftOutRemarks(all: readonly LeftOut[], words: Words): string[] {
  return (Object.keys(reasons) as Reason[]).flatMap((reason) => {
    const columns = all.filter((left) => left.reason === reason)
    const how = reason === 'mostly-empty' ? `; ${kept(words)}` : ''
    return columns.length === 0 ? [] : `left out columns that ${reasons[reason]}: ${listed(columns)}${how}`
  })
}

function kept(words: Words): string {
  const [features, categories, numbers] = (['features', 'categories', 'numbers'] as const).map((name) =>
    words.option(name),
  )
  const how = `named by ${categories}, ${numbers} or ${features} they stay, and rows without them go`
  return `${how}; where an empty cell means something, as no or none, write that word`
}

function listed(columns: readonly LeftOut[]): string {
  return columns
    .map(({ column, reason, value, gaps = 0 }) => {
      if (reason === 'constant') return `${show(column)} (${show(value)}${gaps > 0 ? ' or empty' : ''})`
      if (reason === 'mostly-empty') return `${show(column)} (${String(value)})`
      return reason === 'copy' ? `${show(column)} (as ${show(value)})` : show(column)
    })
    .join(', ')
}

/** Throws where no feature is left. */
export function checkAnyFeatures(left: number, all: readonly LeftOut[], words: Words): void {
  if (left > 0) return
  const got = phrase(leftOutRemarks(all, words).join('; '))
  throw new RlviError(words.source, 'at least one feature that varies is needed', got, 'give other columns')
}
