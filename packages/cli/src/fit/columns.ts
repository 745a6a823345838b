import { type Column, read, type Table } from '@rlvi/tables'
import { phrase, RlviError, show } from 'rlvi'
import { find } from '../terminal/names.js'
import { UsageError } from '../terminal/usage.js'

export interface Chosen {
  readonly features: readonly Column[]
  readonly target: Column | undefined
}

/** The columns that take part: `--features`, or all but the target and `--exclude`. In the file's order. */
export function chooseColumns(
  table: Table,
  target: string | undefined,
  features: readonly string[] | undefined,
  exclude: readonly string[] | undefined,
): Chosen {
  const found = target === undefined ? undefined : find('--target', target, table.columns)
  const named = features === undefined ? undefined : columnsOf('--features', features, table.columns)
  const unwanted = exclude === undefined ? [] : columnsOf('--exclude', exclude, table.columns)
  if (found !== undefined && named?.includes(found)) {
    throw new UsageError('--features', 'the target cannot explain itself', found.name, 'leave it out')
  }
  const chosen = table.columns.filter((column) => {
    return column !== found && !unwanted.includes(column) && (named === undefined || named.includes(column))
  })
  if (chosen.length === 0) {
    const names = table.columns.map((column) => column.name)
    throw new RlviError(table.path, 'at least one feature is needed', names, 'is the file one column wide?')
  }
  for (const column of found === undefined ? chosen : [found, ...chosen]) {
    if (column.kind !== 'other') continue
    const fix = column === found ? 'choose another --target' : exclusion(column.name)
    const rule = 'numbers, texts or true and false are needed'
    throw new RlviError(`column ${show(column.name)}`, rule, column.type, fix)
  }
  return { features: chosen, target: found }
}

/** `a,b` as two names, unless a column is called just that. */
function columnsOf(flag: string, lists: readonly string[], columns: readonly Column[]): Column[] {
  const names = lists.flatMap((list) => {
    if (columns.some((column) => column.name === list)) return [list]
    return list
      .split(',')
      .map((name) => (columns.some((column) => column.name === name) ? name : name.trim()))
  })
  return names.map((name) => find(flag, name, columns))
}

export function exclusion(name: string): string {
  return `mend the column, or leave it out by --exclude ${/^[\w.-]+$/.test(name) ? name : show(name)}`
}

/** A column as numbers: such by its type, or a text column in which every value is a number. */
export async function requireNumbers(table: Table, column: Column, fix: string): Promise<void> {
  if (column.kind === 'number') return
  const where = `column ${show(column.name)}`
  if (column.kind === 'boolean')
    throw new RlviError(where, 'numbers are needed', phrase('true and false'), fix)
  const { labels, rows } = await read(table, { matrix: [], labels: [column.name] })
  const { codes, values } = labels.get(column.name)!
  const odd = codes.findIndex((code) => !isNumber(values[code]!))
  if (odd >= 0) throw notANumber(column.name, values[codes[odd]!]!, rows[odd]!, fix)
}

export function notANumber(column: string, value: string, row: number, fix: string): RlviError {
  // The row belongs right behind the value, where `got` would put it first.
  const got = phrase(`${show(value)} in row ${row}`)
  return new RlviError(`column ${show(column)}`, 'numbers are needed', got, fix)
}

export function isNumber(text: string): boolean {
  return /^\s*[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|nan|inf(inity)?)\s*$/i.test(text)
}
