import { type Cells, cells, type Encoding, missingValue } from '@rlvi/estimator'
import { phrase, RlviError, show, showList } from 'rlvi'
import { find } from '../../terminal/names.js'
import { UsageError } from '../../terminal/usage.js'
import { type Choices, rulesOf } from '../options.js'
import type { Plan } from '../state/checkpoint.js'

/** The first row, by which all else is decided. */
export interface FirstRow {
  readonly names: readonly string[]
  readonly values: readonly unknown[]
  /** A column that only numbers or names the rows: it is used where it is asked for. */
  readonly index: string | undefined
}

/**
 * Which columns take part, decided by the first row: a stream cannot be looked through beforehand. A text where a
 * number is needed is an error here, since every row would be a broken one.
 */
export function plan(choices: Choices, { names, values, index }: FirstRow, delimiter: string | null): Plan {
  const columns = names.map((name, i) => ({ name, value: values[i] }))
  const target = find('--target', choices.target, columns)
  const named = choices.features === null ? undefined : columnsOf('--features', choices.features, columns)
  const id = choices.id === null ? undefined : find('--id', choices.id, columns)
  const unwanted = choices.exclude === null ? [] : columnsOf('--exclude', choices.exclude, columns)
  if (named?.includes(target)) {
    throw new UsageError('--features', 'the target cannot explain itself', target.name, 'leave it out')
  }
  const used = columns.filter((column) => {
    if (column === target || column === id || unwanted.includes(column)) return false
    return named === undefined ? column.name !== index : named.includes(column)
  })
  if (used.length === 0) {
    throw new RlviError('rows', 'at least one feature is needed', names, 'are the rows one column wide?')
  }
  const reader = cells(rulesOf(choices))
  for (const { name } of choices.categories) find('--categories', name, used)
  const features = used.map(({ name, value }): Encoding => {
    const given = choices.categories.find((category) => category.name === name)
    if (given !== undefined) {
      return { name, kind: 'category', base: given.values[0]!, values: given.values.slice(1) }
    }
    const number = reader.numberOf(value)
    if (typeof number === 'string' && number !== missingValue) {
      const todo = `leave it out by --exclude ${word(name)}, or list its values by --categories ${word(name)}=A,B,C`
      throw new RlviError(
        `column ${show(name)}`,
        'numbers are needed',
        phrase(`${show(value)} in the first row`),
        todo,
      )
    }
    return { name, kind: 'number' }
  })
  const classes = labels(choices, target.value)
  checkTarget(choices, classes, target.value)
  const labelsAs = typeOf(target.value, delimiter === null, reader)
  return { delimiter, header: delimiter === null ? [] : names, classes, labelsAs, features }
}

/** CSV has texts only: there a number is what is written as one. */
function typeOf(
  value: unknown,
  typed: boolean,
  { kindOfText, numberOf }: Cells,
): NonNullable<Plan['labelsAs']> {
  const text = typeof value === 'object' ? '' : String(value)
  if (!typed && kindOfText(text) === 'number') return 'number'
  if (!typed && typeof numberOf(text) === 'number') return 'boolean'
  const type = typeof value
  return type === 'number' || type === 'boolean' ? type : 'string'
}

/** Those that were given; else 0 and 1, by the names that the first row has for them. */
function labels({ model, classes }: Choices, first: unknown): readonly string[] {
  if (model === 'linear') return []
  return classes ?? (isTruth(first) ? ['false', 'true'] : ['0', '1'])
}

function isTruth(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value))
}

function checkTarget(choices: Choices, classes: readonly string[], value: unknown): void {
  const { numberOf, labelOf, isMissingLabel } = cells(rulesOf(choices))
  const where = `column ${show(choices.target)}`
  const got = phrase(`${show(value)} in the first row`)
  if (choices.model === 'linear') {
    const number = numberOf(value)
    if (typeof number === 'number' || number === missingValue) return
    throw new RlviError(where, 'numbers are needed', got, 'for labels use --model logistic or softmax')
  }
  if (labelOf(value, classes) >= 0 || isMissingLabel(value, classes)) return
  const rule = `the labels are ${showList(classes)}`
  const todo =
    typeof numberOf(value) === 'number'
      ? 'name others by --classes A,B; for numbers use --model linear'
      : 'name others by --classes A,B'
  throw new RlviError(where, rule, got, todo)
}

/** `a,b` as two names, unless a column is called just that. */
function columnsOf<C extends { readonly name: string }>(
  flag: string,
  lists: readonly string[],
  columns: readonly C[],
): C[] {
  const has = (name: string): boolean => columns.some((column) => column.name === name)
  const names = lists.flatMap((list) =>
    has(list) ? [list] : list.split(',').map((name) => (has(name) ? name : name.trim())),
  )
  return names.map((name) => find(flag, name, columns))
}

function word(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : show(name)
}
