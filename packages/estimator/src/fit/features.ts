import { show } from 'rlvi'
import { MANY, some } from '../columns/are-names.js'
import { type Columns, columnOf, type Numbers, type Texts, type Typed } from '../columns/column.js'
import type { Needed } from '../columns/complete.js'
import type { Problem } from '../columns/problem.js'
import { areTooMany, mostValues } from '../columns/too-many.js'
import {
  asTexts,
  coerced,
  isUnusable,
  named,
  requireNumbers,
  typed,
  type Unusable,
  wordAmongCodes,
} from '../columns/typed.js'
import type { Words } from '../words.js'
import { constantOf, keepsConstant } from './constants.js'
import { type Filled, filledIn, gapsOf, isMostlyEmpty } from './filled.js'
import type { LeftOut, Reason } from './left-out.js'
import { supervisedModels } from './methods.js'
import type { Settings } from './options.js'

/** The features by what they hold: those that can be used, those that say nothing, and those that need the user. */
export interface Features {
  readonly usable: readonly Needed[]
  readonly left: readonly LeftOut[]
  readonly problems: readonly Problem[]
  readonly remarks: readonly string[]
}

/**
 * Leaves out what would cost rows for nothing, before rows with gaps are left out: columns that are empty in most rows, unless the user
 * names them or nothing else is there, and those that have one value wherever they have any.
 *
 * @param whole - how many rows of a table have values, where these are a part of it
 */
export function takeFeatures(
  table: Columns,
  names: readonly string[],
  target: Typed | undefined,
  settings: Settings,
  words: Words,
  whole?: Filled,
): Features {
  const all = names.map((name): Taken => {
    const remarks: string[] = []
    const column = columnOf(table, name)
    return { name, column, data: take(name, column, settings, words, remarks), remarks }
  })
  const filled =
    whole ??
    filledIn(
      all.map((taken) => asThere(taken, settings)),
      target,
    )
  const mayDrop = !settings.strict
  // What has values only where the target has none is as empty as the others, whatever they are.
  const hasValues = ({ name, data }: Taken): boolean =>
    filled.columns.get(name)! > 0 || (whole === undefined && (isUnusable(data) || !isEmpty(data)))
  const drop = all.filter(
    (taken) =>
      mayDrop && !isWanted(taken.name, settings) && isMostlyEmpty(filled, taken.name) && hasValues(taken),
  )
  const found = sorted(
    all.filter((taken) => !drop.includes(taken)),
    filled,
    settings,
  )
  if (found.usable.length === 0 && found.problems.length === 0) return sorted(all, filled, settings)
  const left = drop.map(({ name }): LeftOut => {
    const value = `${gapsOf(filled, name)} of ${filled.rows} rows`
    return { column: name, reason: 'mostly-empty', value }
  })
  return { ...found, left: [...left, ...found.left] }
}

interface Taken {
  readonly name: string
  readonly column: Numbers | Texts
  readonly data: Typed | Unusable
  readonly remarks: readonly string[]
}

/** A column by where it has values. */
function asThere({ name, column, data }: Taken, { cells }: Settings): Needed {
  if (!isUnusable(data)) return { name, data }
  return { name, data: column.kind === 'text' ? named(column, cells) : column }
}

function sorted(all: readonly Taken[], filled: Filled, settings: Settings): Features {
  const usable: Needed[] = []
  const left: LeftOut[] = []
  const problems: Problem[] = []
  const remarks: string[] = []
  for (const { name, data, remarks: own } of all) {
    if (!isUnusable(data) && isEmpty(data)) {
      left.push({ column: name, reason: 'empty' })
      continue
    }
    remarks.push(...own)
    if (isUnusable(data)) {
      problems.push({ column: name, optional: true, ...data })
      continue
    }
    const many = data.kind === 'text' ? tooMany(data) : undefined
    if (many !== undefined) {
      const problem = manyTexts(name, many.different, data.kind === 'text' ? data.values : [])
      // Dates name no rows: who has them wants them read.
      const reason = problem.alike === undefined && !isWanted(name, settings) ? many.reason : undefined
      if (reason === undefined) problems.push(problem)
      else left.push({ column: name, reason })
      continue
    }
    const value = settings.strict || gapsOf(filled, name) === 0 ? undefined : constantOf(data, settings.cells)
    if (value === undefined || keepsConstant(settings.model ?? 'linear', settings.intercept, value))
      usable.push({ name, data })
    else left.push({ column: name, reason: 'constant', value, gaps: gapsOf(filled, name) })
  }
  return { usable, left, problems, remarks }
}

/** What the user says that a column holds, or what it seems to hold. */
function take(
  name: string,
  data: Numbers | Texts,
  { model, cells, categories, numbers }: Settings,
  words: Words,
  remarks: string[],
): Typed | Unusable {
  if (categories.includes(name)) return named(data.kind === 'number' ? asTexts(data) : data, cells)
  if (numbers.includes(name)) {
    const found = coerced(data, cells)
    const count = `${found.words} ${found.words === 1 ? 'word' : 'words'}`
    if (found.words > 0) remarks.push(`column ${show(name)}: ${count} taken as missing`)
    return found.data
  }
  const supervised = model === undefined || supervisedModels.includes(model)
  const word = supervised ? wordAmongCodes(data, cells) : undefined
  if (word !== undefined && data.kind === 'text') {
    const other = `${words.option('numbers', [name])} takes words as missing`
    remarks.push(`column ${show(name)}: a few numbers and ${show(word)}, taken as categories; ${other}`)
    return named(data, cells)
  }
  const found = typed(data, cells)
  // Without a target there are no categories, which have no mean and no distance.
  if (supervised) return found
  if (!isUnusable(found) && found.kind !== 'text') return found
  const refused = requireNumbers(data, cells)
  return isUnusable(refused) ? { ...refused, asCategories: false } : refused
}

function isEmpty(data: Typed): boolean {
  if (data.kind === 'text') return data.length > 0 && data.codes.every((code) => code < 0)
  for (let i = 0; i < data.length; i++)
    if (!Number.isNaN(data.values[data.offset + i * data.stride]!)) return false
  return data.length > 0
}

/** Texts that are too many for categories, and why nobody could have meant them as such. */
interface TooMany {
  readonly different: number
  readonly reason?: Reason
}

/** In fewer rows a column of categories may have as many. */
const FEW_ROWS = 20

function tooMany(texts: Texts): TooMany | undefined {
  const { different, there } = texts.whole ?? counted(texts)
  if (!areTooMany(different, there)) return undefined
  if (different === there) return { different, reason: 'names' }
  return { different, ...(there >= FEW_ROWS && different > there / 2 ? { reason: 'hardly-repeated' } : {}) }
}

function counted({ codes }: Texts): { readonly different: number; readonly there: number } {
  const seen = new Set<number>()
  let there = 0
  for (const code of codes) {
    if (code < 0) continue
    there++
    seen.add(code)
  }
  return { different: seen.size, there }
}

export function manyTexts(column: string, different: number, values: readonly string[]): Problem {
  const rule = `a text feature may have at most ${mostValues} different values, and one for every two rows`
  const problem = { column, optional: true, rule, got: String(different) }
  if (values.length > MANY && 2 * some(values).filter(isLikeDate).length < some(values).length) return problem
  const dates = values.filter(isLikeDate)
  if (dates.length < 0.8 * values.length || areNumbered(dates)) return problem
  const shapes = new Map(
    dates.map((value) => [value.replaceAll(/\d/g, '0').replaceAll(/[a-z]+/gi, 'a'), value]),
  )
  const ways = `dates in ways that are not read: ${[...shapes.values()].slice(0, 3).map(show).join(', ')}`
  return { ...problem, alike: ways, todo: 'write all dates as 2020-01-31' }
}

const month = '(?:\\d{1,2}|[A-Za-z]{3,9}\\.?)'
/** Day, month and year in any order, with names of months and years of two digits. */
const likeDate = new RegExp(
  `^\\s*(?:\\d{1,4}[-/. ]+${month}[-/., ]+\\d{2,4}|${month}[-/., ]+\\d{1,2}[-/., ]+\\d{2,4})(?:\\D.*)?$`,
)

/** A date has a day. */
function isLikeDate(text: string): boolean {
  const numbers = text.match(/\d+/g) ?? []
  return likeDate.test(text) && numbers.some((number) => Number(number) <= 31)
}

/** Whether all have one word between their numbers, which is no month: 012 District 11. */
function areNumbered(dates: readonly string[]): boolean {
  const words = new Set(
    dates.map((date) => /\d[^\da-z]*([a-z]{3,})[^\da-z]*\d/i.exec(date)?.[1]?.toLowerCase()),
  )
  const [only] = words
  return words.size === 1 && only !== undefined && !monthLike.test(only)
}

const monthLike =
  /^(?:jan|feb|f[eé]v|m[aä]r|apr|avr|abr|ma[iy]|jun|jul|ju[ií]|aug|ao[uû]|ago|sep|set|oct|okt|out|nov|dec|dez|d[eé]c|dic)/

function isWanted(name: string, { features, categories, numbers }: Settings): boolean {
  return (features?.includes(name) ?? false) || categories.includes(name) || numbers.includes(name)
}
