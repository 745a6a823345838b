import type { Matrix } from 'rlvi'
import { chooseFeatures } from '../columns/choose.js'
import { type Columns, checkLengths, columnNames, columnOf } from '../columns/column.js'
import { type Complete, checkAnyRows, completeRows, type Needed } from '../columns/complete.js'
import { checkProblems, type Problem } from '../columns/problem.js'
import { isUnusable } from '../columns/typed.js'
import { apartFeaturesRemark } from '../diagnostics/apart-features.js'
import { byLabelRemark } from '../diagnostics/by-label.js'
import { byTargetRemark } from '../diagnostics/by-target.js'
import { capitalsRemark } from '../diagnostics/capitals.js'
import { checkDesign, checkSizes } from '../diagnostics/design.js'
import { farFeaturesRemark } from '../diagnostics/far-features.js'
import { groupedRowsRemark } from '../diagnostics/grouped-rows.js'
import { likeTargetRemark } from '../diagnostics/like-target.js'
import { loneSignRemark, usualSignsRemark } from '../diagnostics/lone-signs.js'
import { notices, targetCode } from '../diagnostics/notices.js'
import { repeatedRows } from '../diagnostics/repeated-rows.js'
import { ENOUGH_ROWS, someRows } from '../diagnostics/some-rows.js'
import { totalsRemark } from '../diagnostics/totals.js'
import { design, type Feature } from '../encoding/design.js'
import { type DesignColumn, designColumns, type Encoding } from '../encoding/encoding.js'
import { clockIn } from '../encoding/of-date.js'
import { checkName } from '../names.js'
import type { Words } from '../words.js'
import { type Independent, independent, withoutCopies, withoutUntrusted } from './determined.js'
import { clockRemarks, encode } from './encode.js'
import { checkErrors } from './error-laws.js'
import { takeFeatures } from './features.js'
import { checkAnyFeatures, type LeftOut } from './left-out.js'
import { checkWidth } from './limits.js'
import { checkMethod, type ModelName, supervisedModels } from './methods.js'
import type { Settings } from './options.js'
import { type Choice, chooseModel, explain, type Response, response, type WholeTarget } from './target.js'

/** All that a fit needs, chosen and encoded. */
export interface Prepared extends Complete {
  readonly model: ModelName
  /** How it was chosen, where the caller did not. */
  readonly choice: Choice | undefined
  readonly x: Matrix
  readonly columns: readonly DesignColumn[]
  /** The columns of the table in which a row must have a value. */
  readonly needed: readonly string[]
  readonly encodings: readonly Encoding[]
  readonly response: Response | undefined
  readonly left: readonly LeftOut[]
  /** Places of rows that stand for all, where a remark needs no more. */
  readonly some: Int32Array
  /** What was made of the columns, and what looks strange about them, a sentence each. */
  readonly remarks: readonly string[]
}

/**
 * @param untrusted - columns of the design that are left out, by name
 * @param whole - what all rows of a table say, where these are a part of it; columns that repeat others stay in then, as
 *   all rows must say that they do
 */
export function prepare(
  table: Columns,
  settings: Settings,
  words: Words,
  untrusted: ReadonlySet<string>,
  whole?: WholeTarget,
): Prepared {
  const names = chooseFeatures(columnNames(table), settings, words)
  for (const option of ['categories', 'numbers'] as const)
    for (const name of settings[option]) checkName(words.option(option), name, names, 'features')
  const { target } = settings
  const answer = target === undefined ? undefined : explain(columnOf(table, target), settings, words)
  const answers = answer === undefined || isUnusable(answer) ? undefined : answer
  const taken = takeFeatures(table, names, answers, settings, words, whole?.filled)
  const unanswered: Problem[] =
    answer !== undefined && isUnusable(answer) ? [{ column: target!, optional: false, ...answer }] : []
  checkProblems([...taken.problems, ...unanswered], words)
  checkAnyFeatures(taken.usable.length, taken.left, words)
  const explained = answers && { name: target!, data: answers }
  const needed: Needed[] = explained === undefined ? [...taken.usable] : [...taken.usable, explained]
  const complete = completeRows(needed, checkLengths(needed), settings.strict && whole === undefined, words)
  checkAnyRows(complete, words)
  const { rows } = complete
  const choice =
    settings.model === undefined ? chooseModel(explained!.data, rows, settings.labels, whole) : undefined
  const model = settings.model ?? choice!.model
  const encoded = encode(taken.usable, rows, model, settings, words)
  const left: LeftOut[] = [...taken.left, ...encoded.left]
  checkProblems(encoded.problems, words)
  checkAnyFeatures(encoded.features.length, left, words)
  checkWidth(
    encoded.features.map(({ encoding }) => encoding),
    words,
  )
  checkMethod(settings.method, model, settings.assumed, words)
  checkErrors(settings.errors, settings.method, model, words)
  const answered =
    explained === undefined ? undefined : response(explained.name, explained.data, rows, model, words)
  const all = design(encoded.features, rows, { reuse: settings.reuse, changes: true })
  const found = withoutUntrusted(
    whole === undefined
      ? withoutRepetition(all, encoded.features, model, settings.intercept)
      : { x: all, encodings: encoded.features.map(({ encoding }) => encoding), left: [] },
    untrusted,
  )
  const { x, encodings } = found
  const columns = designColumns(encodings)
  left.push(...found.left)
  checkDesign(x, columns, model, settings.intercept, words)
  // Covariance and components depend on the user's units by their meaning: nothing is scaled there.
  if (model === 'covariance' || model === 'pca') checkSizes(x, columns, rows, words)
  const clocks = [...encoded.clocks]
  if (target !== undefined && answered?.classes === undefined) {
    const own = clockIn(columnOf(table, target), settings.cells)
    if (own !== undefined) clocks.push({ name: target, inMinutes: own.order === 'minutes' })
  }
  const remarks = [...taken.remarks, ...encoded.remarks]
  remarks.push(...clockRemarks(clocks))
  const some = someRows(ENOUGH_ROWS, x, answered?.y)
  remarks.push(...notices(x, encodings, words, some, whole?.rows))
  const code =
    answered === undefined || answered.classes !== undefined
      ? undefined
      : targetCode(answered.name, answered.y, words, whole?.rows)
  if (code !== undefined) remarks.push(code)
  if (answered !== undefined && answered.classes === undefined)
    for (const found of [byTargetRemark, likeTargetRemark]) {
      const made = found(encoded.features, rows, answered.y, words, some)
      if (made !== undefined) remarks.push(made)
    }
  const told = answered?.classes && byLabelRemark(encoded.features, rows, answered, words)
  if (told !== undefined) remarks.push(told)
  const capitals = answered?.classes && capitalsRemark(answered.name, answered.classes)
  if (capitals !== undefined) remarks.push(capitals)
  const signs = answered?.classes && loneSignRemark(answered.name, answered.classes, words)
  if (signs !== undefined) remarks.push(signs)
  const usual =
    settings.missing === undefined && complete.missing.size > 0 ? usualSignsRemark(remarks, words) : undefined
  if (usual !== undefined) remarks.push(usual)
  const totals = totalsRemark(table, rows, words)
  if (totals !== undefined) remarks.push(totals)
  const far = farFeaturesRemark(x, columns, rows, model, words)
  if (far !== undefined) remarks.push(far)
  const apart = apartFeaturesRemark(x, columns, rows, model, words)
  if (apart !== undefined) remarks.push(apart)
  const copied = whole === undefined ? repeatedRows(x, answered?.y) : undefined
  if (copied !== undefined) remarks.push(copied)
  const grouped =
    whole === undefined && copied === undefined ? groupedRowsRemark(x, columns, model) : undefined
  if (grouped !== undefined) remarks.push(grouped)
  return {
    ...complete,
    model,
    choice,
    x,
    columns,
    needed: needed.map(({ name }) => name),
    encodings,
    response: answered,
    left,
    some,
    remarks,
  }
}

/** Components and means of columns that repeat others are there; all else could not tell them apart. */
function withoutRepetition(
  x: Matrix,
  features: readonly Feature[],
  model: ModelName,
  intercept: boolean,
): Independent {
  const encodings = features.map(({ encoding }) => encoding)
  if (supervisedModels.includes(model)) return independent(x, encodings, intercept)
  return model === 'covariance' ? withoutCopies(x, encodings) : { x, encodings, left: [] }
}
