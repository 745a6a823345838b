import { type Matrix, matrix, type Params, type Supervised, takeRows } from 'rlvi'
import {
  calibratedByPasses,
  mlByPasses,
  type PassesFit,
  type PassModel,
  paperByPasses,
  passModels,
  weigh,
} from 'rlvi/passes'
import { habitsRemark, namedHabits } from '../audit/habits.js'
import { cautionRemark, namedCautions } from '../diagnostics/cautions.js'
import { checkComponents } from '../diagnostics/design.js'
import { judge, statusRemark } from '../diagnostics/judge.js'
import { isSeparable, separable } from '../diagnostics/separation.js'
import { designColumns, type Encoding } from '../encoding/encoding.js'
import { withoutDependent } from '../fit/determined.js'
import { defaultErrors } from '../fit/error-laws.js'
import { hasPredictor, rescale, savedModel, untrustedCategories } from '../fit/fit-table.js'
import { flagBelow } from '../fit/flag-below.js'
import { intervals, reach } from '../fit/intervals.js'
import { leftOutRemarks } from '../fit/left-out.js'
import { defaultAssumed, type MethodName } from '../fit/methods.js'
import { type NamedParams, namedErrors, namedParams } from '../fit/named-params.js'
import { checkFitOptions, type FitTableOptions, type Settings } from '../fit/options.js'
import { type Prepared, prepare } from '../fit/prepare.js'
import { choices } from '../fit/remarks.js'
import { standardErrors, userCovariance } from '../fit/standard-errors.js'
import type { TableFit } from '../fit/table-fit.js'
import { inUserUnits, type ResponseUnits, standardiseRobustly, type Units, unchanged } from '../fit/units.js'
import { predictions } from '../predict/predictions.js'
import { argumentWords, OptionError, type Words } from '../words.js'
import { inUnits } from './in-units.js'
import type { WorstRows } from './judge-rows.js'
import { passModel, plainParams } from './pass-model.js'
import { blockRows, type PassRows, type RowFit } from './pass-rows.js'
import { type RowPlan, rowPlan } from './row-plan.js'
import type { RowSource, Source } from './row-source.js'
import { dependentColumns, responseUnitsOf, unitsOf } from './whole-units.js'

/** The methods that need no more of the rows than sums over all of them. */
export const passMethods: readonly MethodName[] = ['calibrated', 'paper', 'ml']

/** A fit of a table that was not read into memory. Its arrays hold some of the rows. */
export interface SourceFit extends TableFit {
  /** What the fit says of rows of the design, in the table's units, with all columns that were planned. */
  judge(rows: Supervised): JudgedBlock
}

/** A fit of a table that stays in its database, with the rules by which its rows are judged there. */
export interface DatabaseFit<Rows extends PassRows> extends TableFit {
  /** All rows, as the fit saw them. */
  readonly database: Rows
  readonly rule: RowFit<Params>
  /** What a standardised response was. */
  readonly answer: ResponseUnits
}

/** What a fit says of some rows. */
export interface JudgedBlock {
  readonly clean: Float64Array
  readonly losses: Float64Array
  readonly predicted: Float64Array | undefined
  readonly suggested: Int32Array | undefined
}

/**
 * `fitTable` for a table that is not read into memory: what its columns hold is judged by all rows, and the fit goes by
 * passes over them.
 */
export async function fitSource(
  source: RowSource,
  options: FitTableOptions = {},
  words: Words = argumentWords,
): Promise<SourceFit> {
  const settings = checkFitOptions({ ...options, reuse: false }, words)
  const where = 'of a table that does not fit into memory'
  checkPasses(settings, words, where, `give more by ${words.option('memory')}`)
  const open = async (plan: RowPlan): Promise<PassRows> =>
    blockRows(await source.open(plan), (blocks) => source.copied(blocks))
  const { fit, judge } = await fitPrepared({ ...source, open }, settings, words, new Set())
  return { ...fit, judge }
}

/** `fitSource` for a table that stays in a database, which is asked for sums alone. */
export async function fitDatabase<Rows extends PassRows>(
  source: Source<Rows>,
  options: FitTableOptions = {},
  words: Words = argumentWords,
): Promise<DatabaseFit<Rows>> {
  const settings = checkFitOptions({ ...options, reuse: false }, words)
  checkPasses(settings, words, 'of a table in a database', 'or write the rows to a file and fit that')
  const { fit, rows, rule, answer } = await fitPrepared(source, settings, words, new Set())
  return { ...fit, database: rows, rule, answer }
}

function checkPasses({ method }: Settings, words: Words, where: string, todo: string): void {
  if (passMethods.includes(method)) return
  const rule = `${where} only ${passMethods.join(', ')} can be had`
  throw new OptionError(words.option('method'), rule, method, todo)
}

interface Fitting<Rows> {
  readonly fit: TableFit
  readonly rows: Rows
  readonly rule: RowFit<Params>
  readonly answer: ResponseUnits
  judge(block: Supervised): JudgedBlock
}

async function fitPrepared<Rows extends PassRows>(
  source: Source<Rows>,
  settings: Settings,
  words: Words,
  untrusted: ReadonlySet<string>,
): Promise<Fitting<Rows>> {
  // Strictness is a matter of all rows.
  const first = prepare(source.sample, { ...settings, strict: false }, words, untrusted, source.whole)
  const { model, response } = first
  const { intercept, method } = settings
  const plan = rowPlan(first, source, settings.cells, settings.strict, words)
  const open = await source.open(plan)
  const { prepared, kept, units, answer } = await inWholeUnits(first, open, settings)
  const { encodings, columns } = prepared
  if (model === 'pca') checkComponents(settings.components, columns.length, method, words)
  // What rows are called in other units is of the same kind.
  const inTheirOwn = open.inUnits(kept, units, answer) as Rows
  const standard = passModel(model, response?.classes?.length ?? 2, settings)
  const sample = sampleInUnits(prepared, units, answer)
  const even = evenRows(prepared, source)
  const fit = await fitBy(standard, inTheirOwn, taken(sample, even), settings, answer)
  const names = columns.map((column) => column.name)
  const whole = { ...prepared, inputRows: open.inputRows, missing: open.missing, rows: { length: open.rows } }
  const remarks = choices(whole, settings, words)
  const more = untrustedCategories(fit.status, prepared)
  if (more.length > 0) return await fitPrepared(source, settings, words, new Set([...untrusted, ...more]))
  const ended = judge(fit.status, sample.x, columns, words)

  const fitted = plainParams(model, fit.params, names.length)
  const supervised = response !== undefined
  const rule = { model: standard, params: fit.params, clean: fit.clean, fitted, supervised }
  const judged = await inTheirOwn.judge(rule)
  const placesOf = (rows: Int32Array): Float64Array =>
    Float64Array.from(rows, (i) => source.places[prepared.rows[i]!]!)
  const numbered = placesOf(even).every((place) => place >= 0)
  // Rows without numbers cannot be told from the worst, unless they are not among them.
  const trusted = numbered ? undefined : weigh(standard, taken(sample, even), fit.clean)
  const some = trusted === undefined ? even : even.filter((_, k) => trusted[k]! >= flagBelow)
  const places = placesOf(some)
  const worst = unlike(judged.worst, open.inputPlaces(judged.worst.places), places)
  const shown = withWorst(taken(sample, some), worst)
  const judgeRows = (data: Supervised): JudgedBlock => {
    const losses = new Float64Array(data.x.rows)
    standard.likelihood.losses(data, fit.params, losses)
    const { predicted, suggested } = response === undefined ? {} : predictions(fitted, data.x)
    if (model === 'linear') rescale(predicted!, answer)
    return { clean: weigh(standard, data, fit.clean), losses, predicted, suggested }
  }
  const rows = judgeRows(shown)
  const separated =
    response?.classes !== undefined &&
    isSeparable({
      x: shown.x,
      y: shown.y,
      classes: response.classes.length,
      suggested: rows.suggested!,
      trusted: Array.from(rows.clean, (clean) => clean >= flagBelow),
      intercept,
    })
  const status = separated ? separable : ended
  const cautions = namedCautions(fit.cautions, names)
  const classes = response?.classes ?? []
  const habits = fit.corruption.habits && namedHabits(fit.corruption.habits, classes)
  for (const remark of [statusRemark(status), habits && habitsRemark(habits)])
    if (remark !== undefined) remarks.push(remark)
  remarks.push(...cautions.map(cautionRemark))
  const inTheirUnits = inUserUnits(fitted, units, answer)
  const named = (found: typeof fitted): NamedParams => namedParams(found, names, classes)
  const params = named(inTheirUnits)
  const withErrors = fit as never
  const errors = separated
    ? undefined
    : namedErrors(model, standardErrors(withErrors, model, intercept, units, answer), names, classes)
  const scaled = model === 'linear' || model === 'mean'
  const parameters = model === 'mean' ? 1 : names.length + (intercept ? 1 : 0)
  const within = reach(scaled ? judged.effectiveRows - parameters : Number.POSITIVE_INFINITY)
  const predicts = hasPredictor(model) || model === 'softmax'
  const covariance =
    separated || !predicts
      ? undefined
      : userCovariance(withErrors, model === 'softmax' ? classes.length : 1, intercept, units, answer)
  const total = { ...prepared, x: { ...sample.x, rows: open.rows }, encodings }
  const table: TableFit = {
    model: savedModel(
      settings,
      total,
      fit.errors,
      inTheirUnits,
      covariance === undefined ? undefined : { covariance, within },
    ),
    params,
    standardErrors: errors,
    intervals: errors && intervals(params, errors, within),
    ml:
      method === 'ml' || !(predicts || model === 'mean')
        ? undefined
        : named(inUserUnits(plainParams(model, fit.ml, names.length), units, answer)),
    explained: judged.explained,
    effectiveRows: judged.effectiveRows,
    corruption: fit.corruption,
    habits,
    errors: fit.errors,
    cautions,
    clean: rows.clean,
    losses: rows.losses,
    flagged: judged.flagged,
    predicted: rows.predicted,
    suggested: rows.suggested,
    inputRows: open.inputRows,
    rows: Int32Array.from([...places, ...worst.places]),
    part: { rows: open.rows },
    dropped: open.inputRows - open.rows,
    status,
    iterations: fit.iterations,
    trace: fit.trace,
    remarks,
    design: { names, x: shown.x, units },
    response: response && { ...response, y: model === 'linear' ? inAnswer(shown.y, answer) : shown.y },
  }
  return {
    fit: table,
    rows: inTheirOwn,
    rule,
    answer,
    judge({ x, y }) {
      const own = matrix(x.rows, kept.length)
      inUnits(x, kept, units, own.values)
      return judgeRows({ x: own, y: y.map((value) => (value - answer.centre) / answer.scale) })
    },
  }
}

/** What all rows say of the columns: their units, and which repeat others. */
async function inWholeUnits(
  first: Prepared,
  open: PassRows,
  { intercept }: Settings,
): Promise<{
  readonly prepared: Prepared
  readonly kept: readonly number[]
  readonly units: Units
  readonly answer: ResponseUnits
}> {
  const { model, response } = first
  const isLinear = model === 'linear'
  const from = isLinear ? meanOf(response!.y) : 0
  const zero = { intercept: from, coefficients: new Float64Array(first.x.cols), scale: 1 }
  const moments = isLinear
    ? await open.sums(passModels.linear()).moments({ weights: { by: 'all' }, params: zero })
    : await open.sums(passModels.mean()).moments({ weights: { by: 'all' } })
  const dependent = new Set(dependentColumns(moments, open.centre, model, intercept))
  const { kept, x, encodings, left } = withoutDependent(first.x, first.encodings, dependent)
  const isNumber = numeric(first.encodings)
  const changes = response !== undefined
  const all = changes ? unitsOf(moments, open.centre, isNumber, intercept) : unchanged(isNumber.length)
  const units =
    model === 'mean'
      ? standardiseRobustly(copyOf(x))
      : { centre: pick(all.centre, kept), scale: pick(all.scale, kept) }
  const remarks = [...leftOutRemarks(left), ...first.remarks]
  return {
    prepared: { ...first, x, encodings, columns: designColumns(encodings), remarks },
    kept,
    units,
    answer: isLinear ? responseUnitsOf(moments, from, intercept) : { centre: 0, scale: 1 },
  }
}

async function fitBy(
  model: PassModel<Params>,
  all: PassRows,
  sample: Supervised,
  { method, assumed, errors, seed, onProgress }: Settings,
  responseUnits: ResponseUnits,
): Promise<PassesFit<Params>> {
  const rows = all.sums(model)
  const onStep = (pass: number, level: number | undefined): void =>
    onProgress?.({ phase: 'fitting', rows: all.rows, pass, level })
  if (method === 'ml') return await mlByPasses(model, rows)
  if (method === 'paper') {
    const goodRows = rows.rows * (1 - (assumed ?? defaultAssumed))
    return await paperByPasses(model, rows, { onStep, ...(model.name === 'covariance' ? { goodRows } : {}) })
  }
  return await calibratedByPasses(model, rows, sample, {
    onStep,
    errors: errors ?? defaultErrors,
    seed,
    ...(model.name === 'linear' ? { responseUnits } : {}),
  })
}

function numeric(encodings: readonly Encoding[]): boolean[] {
  return encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
}

function pick(values: Float64Array, places: readonly number[]): Float64Array {
  return Float64Array.from(places, (j) => values[j]!)
}

function copyOf({ rows, cols, values }: Matrix): Matrix {
  return matrix(rows, cols, values.slice())
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** The complete rows of the sample as the fit sees them. */
function sampleInUnits({ x, response }: Prepared, units: Units, answer: ResponseUnits): Supervised {
  const out = matrix(x.rows, x.cols)
  inUnits(x, Array.from(units.centre.keys()), units, out.values)
  const y = (response?.y ?? new Float64Array(0)).map((value) => (value - answer.centre) / answer.scale)
  return { x: out, y }
}

/** Which of the complete rows are the even sample. */
function evenRows({ rows }: Prepared, { even }: Source<unknown>): Int32Array {
  const isEven = new Set(even)
  return Int32Array.from(rows.keys()).filter((i) => isEven.has(rows[i]!))
}

function taken({ x, y }: Supervised, rows: Int32Array): Supervised {
  return { x: takeRows(x, rows), y: y.length === 0 ? y : Float64Array.from(rows, (i) => y[i]!) }
}

/** The sample, and behind it the rows that the fit trusts least. */
function withWorst(sample: Supervised, worst: WorstRows): Supervised {
  const x = matrix(sample.x.rows + worst.x.rows, sample.x.cols)
  x.values.set(sample.x.values)
  x.values.set(worst.x.values, sample.x.values.length)
  return { x, y: sample.y.length === 0 ? sample.y : Float64Array.from([...sample.y, ...worst.y]) }
}

/** The worst rows that are not in the sample, by their places in the table; all where they have none. */
function unlike(worst: WorstRows, places: Float64Array, sample: Float64Array): WorstRows {
  const known = new Set(sample)
  const rows = Int32Array.from(places.keys()).filter((k) => places[k]! < 0 || !known.has(places[k]!))
  return { places: Float64Array.from(rows, (k) => places[k]!), ...taken(worst, rows) }
}

function inAnswer(y: Float64Array, { centre, scale }: ResponseUnits): Float64Array {
  return y.map((value) => value * scale + centre)
}
