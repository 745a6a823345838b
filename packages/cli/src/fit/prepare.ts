import { type Column, type Read, read, type Table } from '@rlvi/tables'
import { type Matrix, phrase, RlviError, show } from 'rlvi'
import { categories, type DesignColumn, design, designColumns, type Encoding } from '../encoding.js'
import { type Chosen, chooseColumns, exclusion, requireNumbers } from './columns.js'
import { checkMethod, type ModelName, supervisedModels } from './methods.js'
import type { FitOptions } from './options.js'
import { checkDesign, constant } from './problems.js'
import { checkMistyped, modelFor, mostValues, type Target, target } from './target.js'

/** All that a fit needs, read and encoded. */
export interface Prepared {
  readonly model: ModelName
  readonly x: Matrix
  readonly columns: readonly DesignColumn[]
  readonly encodings: readonly Encoding[]
  readonly target: Target | undefined
  readonly inputRows: number
  /** The number in the file of each row of x. */
  readonly rows: Int32Array
  readonly dropped: number
}

export async function prepare(table: Table, options: FitOptions): Promise<Prepared> {
  const chosen = chooseColumns(table, options.target, options.features, options.exclude)
  const { features, numeric } = await kinds(table, chosen, options.model)
  const categorical = features.filter((column) => column.kind !== 'number').map((column) => column.name)
  const name = chosen.target?.name
  const found = await read(table, {
    matrix: features.filter((column) => column.kind === 'number').map((column) => column.name),
    numbers: name !== undefined && numeric ? [name] : [],
    labels: name !== undefined && !numeric ? [...categorical, name] : categorical,
    strict: options.strict,
  })
  checkAnyRows(table, found)
  const encodings = features.map((column) => encode(column, found))
  const columns = designColumns(encodings)
  if (chosen.target !== undefined && !numeric) {
    checkMistyped(chosen.target.name, found, 'mend the value, or leave it empty for missing')
  }
  const model = options.model ?? modelFor(chosen.target!, found)
  checkMethod(options.method, model, options.assumed)
  const explained = chosen.target === undefined ? undefined : target(chosen.target, found, model)
  const { x } = design(found, encodings)
  checkDesign(table.path, x, columns, model, options.intercept)
  return {
    model,
    x,
    columns,
    encodings,
    target: explained,
    inputRows: found.inputRows,
    rows: found.rows,
    dropped: found.dropped,
  }
}

/** Which columns count as numbers, where the model leaves no choice. */
async function kinds(
  table: Table,
  chosen: Chosen,
  model: ModelName | undefined,
): Promise<{ features: readonly Column[]; numeric: boolean }> {
  const { features, target: explained } = chosen
  if (model !== undefined && !supervisedModels.includes(model)) {
    for (const column of features) await requireNumbers(table, column, exclusion(column.name))
    return { features: features.map((column) => ({ ...column, kind: 'number' })), numeric: true }
  }
  if (explained !== undefined && (model === 'linear' || model === 'poisson')) {
    await requireNumbers(table, explained, 'mend the value, or use --model logistic or softmax for labels')
    return { features, numeric: true }
  }
  return { features, numeric: explained?.kind === 'number' }
}

function encode(column: Column, found: Read): Encoding {
  const { name } = column
  if (column.kind === 'number') return { name, kind: 'number' }
  checkMistyped(name, found, exclusion(name))
  const labels = found.labels.get(name)!
  const different = labels.values.length
  if (different === 1) throw constant({ name, source: name }, labels.values[0])
  if (different > 2 && (different > mostValues || different > found.rows.length / 2)) {
    const rule = `a text feature may have at most ${mostValues} different values, and one for every two rows`
    throw new RlviError(`column ${show(name)}`, rule, different, exclusion(name))
  }
  return categories(name, labels)
}

function checkAnyRows(table: Table, found: Read): void {
  if (found.inputRows === 0) {
    throw new RlviError(
      table.path,
      'rows are needed',
      phrase('a header alone'),
      'was the file written completely?',
    )
  }
  if (found.rows.length > 0) return
  let worst = ''
  let most = 0
  for (const [name, count] of found.missing) {
    if (count > most) {
      most = count
      worst = name
    }
  }
  const rule = 'at least one row without missing values is needed'
  const got = phrase(`none of ${found.inputRows}`)
  throw new RlviError(table.path, rule, got, `column ${show(worst)} misses ${most}: ${exclusion(worst)}`)
}
