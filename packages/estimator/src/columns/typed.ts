import { phrase, RlviError, show } from 'rlvi'
import { type Numbers, numbers, type Texts } from './column.js'
import { isMissingText } from './missing.js'
import { kindOfText, numberOf } from './values.js'

/**
 * A column by what it holds. Texts are numbers where all that are there are numbers; numbers with a few words among
 * them are numbers that someone mistyped, not categories, and an error. `fix` says what to do about it.
 */
export function typed(name: string, column: Numbers | Texts, fix: string): Numbers | Texts {
  if (column.kind === 'number') return column
  const kinds = column.values.map(kindOfText)
  let numeric = 0
  let words = 0
  for (const code of column.codes) {
    if (code < 0) continue
    if (kinds[code] === 'number') numeric++
    else if (kinds[code] === 'word') words++
  }
  if (numeric > 0 && words === 0) return parsed(column)
  if (numeric > words) throw firstWord(name, column, kinds, fix)
  return named(column)
}

/** A column as numbers, whatever it seems to hold; `kind` says which texts can be none. */
export function requireNumbers(
  name: string,
  column: Numbers | Texts,
  fix: string,
  kind: (text: string) => ReturnType<typeof kindOfText> = kindOfText,
): Numbers {
  if (column.kind === 'number') return column
  const kinds = column.values.map(kind)
  if (column.codes.some((code) => kinds[code] === 'word')) throw firstWord(name, column, kinds, fix)
  return parsed(column)
}

/** The same texts, with -1 where one says that there is none, and is not one of those that are `known`. */
export function named(column: Texts, known: readonly string[] = []): Texts {
  const gone = column.values.map((value) => isMissingText(value) && !known.includes(value))
  if (!gone.includes(true)) return column
  return { ...column, codes: column.codes.map((code) => (gone[code] ? -1 : code)) }
}

/** Each different text is read once. */
function parsed({ codes, values }: Texts): Numbers {
  const each = Float64Array.from(values, (text) => {
    const number = numberOf(text)
    return typeof number === 'number' ? number : Number.NaN
  })
  const out = new Float64Array(codes.length)
  for (let i = 0; i < out.length; i++) out[i] = each[codes[i]!] ?? Number.NaN
  return numbers(out)
}

/** The texts of a column of numbers. */
export function asTexts(column: Numbers): Texts {
  const known = new Map<number, number>()
  const codes = new Int32Array(column.length)
  for (let i = 0; i < column.length; i++) {
    const value = column.values[column.offset + i * column.stride]!
    if (!known.has(value)) known.set(value, known.size)
    codes[i] = Number.isNaN(value) ? -1 : known.get(value)!
  }
  return { kind: 'text', length: column.length, codes, values: Array.from(known.keys(), String) }
}

function firstWord(name: string, { codes, values }: Texts, kinds: readonly string[], fix: string): RlviError {
  const row = codes.findIndex((code) => kinds[code] === 'word')
  // The row belongs right behind the value, where `got` would put it first.
  const got = phrase(`${show(values[codes[row]!])} in row ${row}`)
  return new RlviError(`column ${show(name)}`, 'numbers are needed', got, fix)
}
