import { type CellRules, type Column, chooseFeatures, type Words } from '@rlvi/estimator'
import { type Column as FileColumn, read, type Table } from '@rlvi/tables'
import { RlviError, show } from 'rlvi'
import type { FitOptions } from '../fit/options.js'
import { cellRules } from '../terminal/reading-flags.js'
import { flagWords } from './flag-words.js'

/** Which columns of a file a fit asks for, and how they are written. */
export type Asked = Pick<FitOptions, 'target' | 'features' | 'exclude' | 'categories' | 'numbers'> & CellRules

/** The columns that a fit asks for, before anything is read, and the options that speak of them with each name by itself. */
export interface Chosen {
  readonly names: readonly string[]
  readonly target: string | undefined
  /** The features, where the user named them. */
  readonly features: readonly string[] | undefined
  readonly categories: readonly string[]
  readonly numbers: readonly string[]
  readonly remarks: readonly string[]
}

/** Columns to fit. */
export interface Fitting extends Omit<Chosen, 'names' | 'target'> {
  readonly columns: Map<string, Column>
}

/**
 * The columns that a fit asks for: no others are read.
 *
 * @param shown - whether their values are looked at besides, so that all texts are needed
 */
export async function columnsToFit(table: Table, asked: Asked, shown: boolean): Promise<Fitting> {
  const { names, target, ...chosen } = chosenColumns(table, asked)
  const decided = [...chosen.categories, ...chosen.numbers]
  const unnamed = shown ? [] : names.filter((name) => !decided.includes(name))
  const columns = await read(table, { features: names, target, unnamed, ...cellRules(asked) })
  const remarks = [
    ...chosen.remarks,
    ...likeCodes(table, columns, { ...chosen, target }),
    ...likeThousands(table, columns, asked),
  ]
  return { ...chosen, columns, remarks }
}

/** What is known of a table before anything is read. */
type Named = Pick<Table, 'columns' | 'path'>

export function chosenColumns(table: Named, asked: Asked, words: Words = flagWords(table.path)): Chosen {
  const names = table.columns.map((column) => column.name)
  const features = listed(asked.features, names)
  const given = { features, exclude: listed(asked.exclude, names) }
  const isIndex = ({ name, isIndex }: FileColumn): boolean =>
    isIndex === true && name !== asked.target && features?.includes(name) !== true
  const index = table.columns.find(isIndex)?.name
  const { target } = asked
  const lists = features === undefined ? table.columns.filter(isList).map(({ name }) => name) : []
  const nothing = [...lists, ...(index === undefined ? [] : [index])]
  const chosen = chooseFeatures(names, { target, ...given }, words).filter((name) => !nothing.includes(name))
  if (chosen.length === 0)
    chooseFeatures(
      names.filter((name) => !nothing.includes(name)),
      { target, ...given },
      words,
    )
  for (const { name, type, kind } of target === undefined ? [] : inFile(table, [target])) {
    if (kind === 'other') throw unusable([name], type, `choose another ${words.option('target')}`)
  }
  const odd = inFile(table, chosen).filter(({ kind }) => kind === 'other')
  if (odd.length > 0) {
    const all = odd.map(({ name }) => name)
    const fix = `fix them, or leave them out by ${words.option('exclude', all)}`
    throw unusable(all, odd.map(({ type }) => type).join(', '), fix)
  }
  const isLeft = (name: string): boolean => !given.exclude?.includes(name)
  const left: string[] = []
  if (index !== undefined && isLeft(index))
    left.push(`left out ${show(index)}${indexIs(index)}: row names or an index`)
  const listsLeft = lists.filter((name) => isLeft(name) && name !== target)
  if (listsLeft.length > 0) left.push(`left out columns of lists: ${listsLeft.map(show).join(', ')}`)
  return {
    names: chosen,
    target,
    features: features === undefined ? undefined : chosen,
    categories: listed(asked.categories, names) ?? [],
    numbers: listed(asked.numbers, names) ?? [],
    remarks: left,
  }
}

/** Pandas has a name for an index without one, where a file needs it. */
function indexIs(index: string): string {
  return index.startsWith('__index_level_') ? ', as pandas calls it' : ', the first column, which has no name'
}

/** Columns that were written like codes or the names of groups, though all of their values are numbers. */
export function likeCodes(
  table: Named,
  columns: ReadonlyMap<string, Column>,
  { categories, numbers, target }: Pick<Chosen, 'categories' | 'numbers' | 'target'>,
): string[] {
  const decided = [...categories, ...numbers, target]
  const open = inFile(table, [...columns.keys()]).filter(
    ({ name }) => !decided.includes(name) && !('codes' in columns.get(name)!),
  )
  const remark = (which: readonly FileColumn[], how: string): string[] => {
    if (which.length === 0) return []
    const names = which.map(({ name }) => name)
    const other = flagWords(table.path).option('categories', names)
    const those = `column${names.length > 1 ? 's' : ''} ${names.map(show).join(', ')}`
    return [`${those}: written ${how}, taken as numbers; ${other} takes them as categories`]
  }
  return [
    ...remark(
      open.filter(({ asText }) => asText),
      'as texts',
    ),
    ...remark(
      open.filter(({ asText, hasZeros }) => hasZeros && !asText),
      'with zeros in front, as codes are',
    ),
  ]
}

/** Columns whose points were taken as those before decimals, though they may part thousands. */
function likeThousands(
  table: Table,
  columns: ReadonlyMap<string, Column>,
  { thousands, decimal }: Asked,
): string[] {
  if (thousands !== undefined || decimal === ',') return []
  const words = flagWords(table.path)
  const other = `${words.option('thousands', '.')} ${words.option('decimal', ',')}`
  return inFile(table, [...columns.keys()]).flatMap(({ name, mayBeThousands }) =>
    mayBeThousands === undefined
      ? []
      : `column ${show(name)}: all points have three digits behind them (${mayBeThousands}), taken as decimals; if they part thousands, ${other} reads them so`,
  )
}

/** Nobody knows how many values a list has: it is no column of numbers or categories. */
function isList({ kind, type }: FileColumn): boolean {
  return kind === 'other' && /^MAP\b|\[\d*\]$/.test(type)
}

/** `a,b` as two names, unless a column is called just that. */
function listed(lists: readonly string[] | undefined, names: readonly string[]): string[] | undefined {
  return lists?.flatMap((list) => {
    if (names.includes(list)) return [list]
    return list.split(',').map((name) => (names.includes(name) ? name : name.trim()))
  })
}

function inFile(table: Named, names: readonly string[]): FileColumn[] {
  return table.columns.filter(({ name }) => names.includes(name))
}

function unusable(names: readonly string[], type: string, fix: string): RlviError {
  const where = `column${names.length > 1 ? 's' : ''} ${names.map(show).join(', ')}`
  return new RlviError(where, 'numbers, texts, dates or true and false are needed', type, fix)
}
