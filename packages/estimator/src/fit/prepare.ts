import { type Matrix, RlviError, show } from 'rlvi'
import { chooseFeatures } from '../columns/choose.js'
import {
  type Columns,
  checkLengths,
  columnNames,
  columnOf,
  type Numbers,
  type Texts,
} from '../columns/column.js'
import { type Complete, checkAnyRows, completeRows, type Needed } from '../columns/complete.js'
import { requireNumbers, typed } from '../columns/typed.js'
import { checkDesign, constant } from '../diagnostics/design.js'
import { design } from '../encoding/design.js'
import { categories, type DesignColumn, designColumns, type Encoding, levels } from '../encoding/encoding.js'
import { leaveOut, type Words } from '../words.js'
import { checkErrors } from './error-laws.js'
import { checkMethod, type ModelName, supervisedModels } from './methods.js'
import type { Settings } from './options.js'
import { type Choice, chooseModel, fixValue, mostValues, type Response, response } from './target.js'

/** All that a fit needs, chosen and encoded. */
export interface Prepared extends Complete {
  readonly model: ModelName
  /** How it was chosen, where the caller did not. */
  readonly choice: Choice | undefined
  readonly x: Matrix
  readonly columns: readonly DesignColumn[]
  readonly encodings: readonly Encoding[]
  readonly response: Response | undefined
}

export function prepare(table: Columns, settings: Settings, words: Words): Prepared {
  const names = chooseFeatures(columnNames(table), settings, words)
  const features = names.map((name) => ({
    name,
    data: feature(name, columnOf(table, name), settings, words),
  }))
  const { target } = settings
  const explained =
    target === undefined
      ? undefined
      : { name: target, data: explain(target, columnOf(table, target), settings, words) }
  const needed: Needed[] = explained === undefined ? features : [...features, explained]
  const complete = completeRows(needed, checkLengths(needed), settings.strict, words)
  checkAnyRows(complete, words)
  const { rows } = complete
  const encoded = features.map(({ name, data }) => ({ encoding: encode(name, data, rows, words), data }))
  const choice =
    settings.model === undefined ? chooseModel(explained!.data, rows, settings.labels) : undefined
  const model = settings.model ?? choice!.model
  checkMethod(settings.method, model, settings.assumed, words)
  checkErrors(settings.errors, settings.method, model, words)
  const answered =
    explained === undefined ? undefined : response(explained.name, explained.data, rows, model, words)
  // Covariance and components depend on the user's units by their meaning: nothing is standardised there.
  const changes = model !== 'covariance' && model !== 'pca'
  const x = design(encoded, rows, { reuse: settings.reuse, changes })
  const encodings = encoded.map(({ encoding }) => encoding)
  const columns = designColumns(encodings)
  checkDesign(x, columns, model, settings.intercept, words)
  return { ...complete, model, choice, x, columns, encodings, response: answered }
}

/** Without a target there are no categories, which have no mean and no distance. */
function feature(name: string, data: Numbers | Texts, { model }: Settings, words: Words): Numbers | Texts {
  const fix = leaveOut(words, name)
  const needsNumbers = model !== undefined && !supervisedModels.includes(model)
  return needsNumbers ? requireNumbers(name, data, fix) : typed(name, data, fix)
}

function explain(name: string, data: Numbers | Texts, { model }: Settings, words: Words): Numbers | Texts {
  if (model !== 'linear' && model !== 'poisson') return typed(name, data, fixValue)
  const labels = `${words.option('model', 'logistic')} or softmax for labels`
  return requireNumbers(name, data, `fix the value, or use ${labels}`)
}

function encode(name: string, data: Numbers | Texts, rows: Int32Array, words: Words): Encoding {
  if (data.kind === 'number') return { name, kind: 'number' }
  const found = levels(data, rows)
  const different = found.values.length
  if (different === 1) throw constant({ name, source: name }, found.values[0], words)
  if (different > 2 && (different > mostValues || different > rows.length / 2)) {
    const rule = `a text feature may have at most ${mostValues} different values, and one for every two rows`
    throw new RlviError(`column ${show(name)}`, rule, different, leaveOut(words, name))
  }
  return categories(name, found)
}
