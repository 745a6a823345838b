import { type Column, chooseFeatures } from '@rlvi/estimator'
import { type Column as FileColumn, read, type Table } from '@rlvi/tables'
import { RlviError, show } from 'rlvi'
import type { FitOptions } from '../fit/options.js'
import { flagWords } from './flag-words.js'

/** The columns that a fit asks for: no others are read. */
export async function columnsToFit(
  table: Table,
  { target, features, exclude }: Pick<FitOptions, 'target' | 'features' | 'exclude'>,
): Promise<Map<string, Column>> {
  const names = table.columns.map((column) => column.name)
  const words = flagWords(table.path)
  const choice = { target, features: listed(features, names), exclude: listed(exclude, names) }
  const chosen = chooseFeatures(names, choice, words)
  for (const { name, type, kind } of target === undefined ? [] : inFile(table, [target])) {
    if (kind === 'other') throw unusable(name, type, `choose another ${words.option('target')}`)
  }
  for (const { name, type, kind } of inFile(table, chosen)) {
    const fix = `fix the column, or leave it out by ${words.option('exclude', [name])}`
    if (kind === 'other') throw unusable(name, type, fix)
  }
  return await readColumns(table, chosen, target)
}

/** `a,b` as two names, unless a column is called just that. */
function listed(lists: readonly string[] | undefined, names: readonly string[]): string[] | undefined {
  return lists?.flatMap((list) => {
    if (names.includes(list)) return [list]
    return list.split(',').map((name) => (names.includes(name) ? name : name.trim()))
  })
}

function inFile(table: Table, names: readonly string[]): FileColumn[] {
  return table.columns.filter(({ name }) => names.includes(name))
}

function unusable(name: string, type: string, fix: string): RlviError {
  return new RlviError(`column ${show(name)}`, 'numbers, texts or true and false are needed', type, fix)
}

/** Numeric features as the columns of one matrix, which the work then needs no copy of; all else by its text. */
export async function readColumns(
  table: Table,
  features: readonly string[],
  target: string | undefined,
): Promise<Map<string, Column>> {
  const isNumber = new Set(table.columns.filter(({ kind }) => kind === 'number').map(({ name }) => name))
  const all = target === undefined ? features : [...features, target]
  const matrix = features.filter((name) => isNumber.has(name))
  const found = await read(table, {
    matrix,
    numbers: target !== undefined && isNumber.has(target) ? [target] : [],
    labels: all.filter((name) => !isNumber.has(name)),
  })
  return new Map(
    all.map((name): [string, Column] => {
      const column = found.labels.get(name) ?? found.numbers.get(name)
      return [name, column ?? { matrix: found.matrix, column: matrix.indexOf(name) }]
    }),
  )
}
