import type { Numbers, Texts } from '../columns/column.js'
import { asTexts, named, requireNumbers } from '../columns/typed.js'
import { kindOfText, numberOf } from '../columns/values.js'
import type { Feature } from '../encoding/design.js'
import type { Encoding } from '../encoding/encoding.js'

/** A column in the form in which the model was fitted to it. */
export function asFitted(encoding: Encoding, data: Numbers | Texts): Feature {
  if (encoding.kind === 'number') {
    const fix = 'the model was fitted to numbers there'
    return { encoding, data: requireNumbers(encoding.name, data, fix, truthIsNumber) }
  }
  const texts = data.kind === 'number' ? asTexts(data) : data
  return { encoding, data: named(texts, [encoding.base, ...encoding.values]) }
}

/** Streams, which cannot be looked through for categories, are learned with true and false as 1 and 0. */
function truthIsNumber(text: string): ReturnType<typeof kindOfText> {
  return typeof numberOf(text) === 'number' ? 'number' : kindOfText(text)
}

/** A category that the model has never seen. */
export interface Unseen {
  readonly column: string
  readonly value: string
  readonly row: number
}

/** The rows whose categories the model knows, and the first that it does not. */
export function knownRows(
  features: readonly Feature[],
  rows: Int32Array,
): { readonly rows: Int32Array; readonly firstUnseen: Unseen | undefined } {
  const unseen = new Set<number>()
  let firstUnseen: Unseen | undefined
  for (const { encoding, data } of features) {
    if (encoding.kind !== 'category' || data.kind !== 'text') continue
    const known = new Set([encoding.base, ...encoding.values])
    const isNew = data.values.map((value) => !known.has(value))
    if (!isNew.includes(true)) continue
    for (const row of rows) {
      if (!isNew[data.codes[row]!]) continue
      unseen.add(row)
      firstUnseen ??= { column: encoding.name, value: data.values[data.codes[row]!]!, row }
    }
  }
  return { rows: unseen.size === 0 ? rows : rows.filter((row) => !unseen.has(row)), firstUnseen }
}
