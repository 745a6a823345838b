import { phrase, RlviError, show } from 'rlvi'
import type { Words } from '../words.js'
import { type Readings, readingOfAll } from './reading.js'

/** Why a column cannot be used as it is, and what a user could do about it. */
export interface Problem {
  readonly column: string
  readonly rule: string
  /** What was found instead, in words. */
  readonly got: string
  /** The place of the row where it was found: an index, from 0. */
  readonly row?: number
  /** What it looks like, in words. */
  readonly alike?: string
  /** Whether it can be left out: the target cannot. */
  readonly optional: boolean
  /** Whether it can be taken as numbers, with its words as missing ones. */
  readonly asNumbers?: boolean
  /** Texts that may stand for missing values. */
  readonly asMissing?: readonly string[]
  /** Usual signs for missing values, where others were named in their place. */
  readonly usual?: readonly string[]
  /** Whether it can be taken as categories. */
  readonly asCategories?: boolean
  /** Whether its dates can be read where it is known what comes first in them. */
  readonly asDates?: boolean
  /** How its values would have to be read to be numbers. */
  readonly reading?: Readings
  /** What else to do. */
  readonly todo?: string
}

/** More than this many are only counted; the remedies name all of them. */
const MOST = 8

/** Throws one error for all problems there are: who mends the first should not meet the next one by one. */
export function checkProblems(problems: readonly Problem[], words: Words): void {
  const [first, ...others] = problems
  if (first === undefined) return
  const todo = remedies(problems, words)
  if (others.length === 0)
    throw new RlviError(`column ${show(first.column)}`, first.rule, phrase(found(first, words)), todo)
  const told = problems
    .slice(0, MOST)
    .map((problem) => `${show(problem.column)} with ${found(problem, words)} (${problem.rule})`)
  if (problems.length > MOST) told.push(`and ${problems.length - MOST} more`)
  const got = told.join(', ')
  throw new RlviError(
    words.source,
    `${problems.length} columns cannot be used as they are`,
    phrase(got),
    todo,
  )
}

/** The options by which such numbers are read. */
function readingWords({ decimal, thousands, units, unsure }: Readings, words: Words): string[] {
  const point = decimal === ',' ? 'commas' : 'points'
  const decimals = decimal === undefined ? [] : [`decimal ${point} by ${words.option('decimal', decimal)}`]
  // A point that parts thousands is none before decimals.
  const comma = unsure && thousands === '.' ? ` ${words.option('decimal', ',')}` : ''
  const groups =
    thousands === undefined ? [] : [`thousands separators by ${words.option('thousands', thousands)}${comma}`]
  const beside = units.length === 0 ? [] : [`what stands beside numbers by ${words.option('units', units)}`]
  const ways = unsure
    ? [
        [...groups, ...beside],
        [...decimals, ...beside],
      ]
    : [[...decimals, ...groups, ...beside]]
  return ways.filter((way) => way.length > 0).map((way) => `read ${way.join(' and ')}`)
}

/** Whether a word was found that is like no number. */
function isWord({ row, alike }: Problem): boolean {
  return row !== undefined && alike === undefined
}

/** What was found, where, and what it looks like. */
function found({ got, row, alike }: Problem, words: Words): string {
  const where = row === undefined ? '' : ` in ${words.row(row)}`
  return `${got}${where}${alike === undefined ? '' : ` (${alike})`}`
}

/** The options that would cure them, each with all columns that it is for. */
function remedies(problems: readonly Problem[], words: Words): string {
  const names = (which: (problem: Problem) => boolean | undefined): string[] =>
    problems.filter(which).map(({ column }) => column)
  const outs: string[] = []
  const cure = (columns: readonly string[], text: () => string): void => {
    if (columns.length > 0) outs.push(text())
  }
  const readings = readingOfAll(problems.flatMap(({ reading }) => reading ?? []))
  // What is read in another way may still have words for nothing.
  const beside = gapsIn(problems.filter(({ reading }) => readings !== undefined && reading !== undefined))
  const too =
    beside.length === 0
      ? ''
      : ` and take ${beside.map(show).join(', ')} as missing by ${words.option('missing', beside)}, in place of the usual signs: name those that are there, too`
  if (readings !== undefined) outs.push(...readingWords(readings, words).map((way) => `${way}${too}`))
  if (
    problems.length > 1 &&
    problems.every(({ row }) => row === 0 || row === undefined) &&
    problems.every(isWord)
  )
    outs.push(`if ${words.row(0)} is a second line of names, or of units, take it out`)
  if (problems.some(({ asDates }) => asDates))
    outs.push(
      `say what comes first by ${words.option('dateOrder', 'dmy')} (the day) or ${words.option('dateOrder', 'mdy')} (the month), or write them as 2020-01-31`,
    )
  for (const { todo } of problems) if (todo !== undefined && !outs.includes(todo)) outs.push(todo)
  const usual = [...new Set(problems.flatMap((problem) => problem.usual ?? []))]
  if (usual.length > 0)
    outs.push(
      `take ${usual.map(show).join(', ')} as missing by ${words.option('missing', usual)} beside the signs that are named, which are in place of the usual ones`,
    )
  const optional = names((problem) => problem.optional)
  const [it, column] = optional.length > 1 ? ['them', 'columns'] : ['it', 'column']
  cure(optional, () => `fix the ${column}, or leave ${it} out by ${words.option('exclude', optional)}`)
  const numeric = names(({ asNumbers }) => asNumbers)
  const again = signsOfSeveral(problems)
  if (again.length > 0)
    outs.push(
      `take ${again.map(show).join(', ')} as missing in all columns by ${words.option('missing', again)}, in place of the usual signs`,
    )
  cure(numeric, () => `take words as missing by ${words.option('numbers', numeric)}`)
  const gaps = gapsIn(problems).filter((gap) => !beside.includes(gap) && !usual.includes(gap))
  if (gaps.length > 0)
    outs.push(
      `take ${gaps.length > 1 ? 'them' : 'it'} as missing by ${words.option('missing', gaps)}, in place of the usual signs: name those that are there, too`,
    )
  const categories = names(({ asCategories }) => asCategories)
  cure(categories, () => `take all values as categories by ${words.option('categories', categories)}`)
  const told = outs.join('; or ')
  return problems.some(({ row }) => row !== undefined) ? `${told}; ${words.rowsCount}` : told
}

/** Words that stand among the numbers of several columns, and mean the same in each. */
function signsOfSeveral(problems: readonly Problem[]): string[] {
  const counts = new Map<string, number>()
  for (const { asMissing = [], asNumbers } of problems)
    if (asNumbers) for (const sign of asMissing) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([sign]) => sign)
}

/** Words that may stand for missing values, where they are few. */
function gapsIn(problems: readonly Problem[]): string[] {
  const all = new Set(problems.flatMap(({ asMissing = [], asNumbers }) => (asNumbers ? [] : asMissing)))
  return all.size > MOST ? [] : [...all]
}
