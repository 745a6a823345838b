import { phrase, RlviError } from 'rlvi'
import { designColumns, type Encoding } from '../encoding/encoding.js'
import type { Words } from '../words.js'

/** Of Node; a browser has none. */
type Env = { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } }

/** Time grows with the third power of the columns of a fit, memory with the second. */
const MOST = 500

/** So many columns, indicators counted one by one, are fitted at most: RLVI_MAX_FEATURES, where that is set. */
function mostFeatures(): number {
  const given = (globalThis as Env).process?.env?.RLVI_MAX_FEATURES
  if (given === undefined || given === '') return MOST
  const most = Number(given)
  if (Number.isSafeInteger(most) && most > 0) return most
  throw new RlviError('RLVI_MAX_FEATURES', 'a whole number above 0 is needed', given)
}

/** Before a table of genes or of words takes all memory there is. */
export function checkWidth(encodings: readonly Encoding[], words: Words): void {
  const most = mostFeatures()
  const { length } = designColumns(encodings)
  if (length > most) throw tooWide(most, phrase(`${length}, with one for each value of a text`), words)
}

/** Columns may turn out constant or empty and be left out; of so many, that is not waited for. */
const IN_VAIN = 4

/** Before columns are read that are too many by far: a database takes milliseconds for each. */
export function checkChosen(count: number, words: Words): void {
  const most = mostFeatures()
  if (count > IN_VAIN * most) throw tooWide(most, count, words)
}

function tooWide(most: number, got: unknown, words: Words): RlviError {
  const todo = `choose some by ${words.option('features')}, or set RLVI_MAX_FEATURES to more`
  return new RlviError(words.source, `at most ${most} columns to fit are needed`, got, todo)
}
