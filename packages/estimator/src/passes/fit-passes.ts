import { matrix, type Params, type Supervised } from 'rlvi'
import {
  type Aggregates,
  calibratedByPasses,
  mlByPasses,
  mlCovariance,
  type PassesFit,
  type PassModel,
  paperByPasses,
  weigh,
} from 'rlvi/passes'
import { checkComponents } from '../diagnostics/design.js'
import { judge } from '../diagnostics/judge.js'
import { type Separation, separations } from '../diagnostics/separation.js'
import { assemble } from '../fit/assemble.js'
import { defaultErrors } from '../fit/error-laws.js'
import { gapsOf } from '../fit/filled.js'
import { rescale, untrustedCategories } from '../fit/fit-table.js'
import { flagBelow } from '../fit/flag-below.js'
import { defaultAssumed } from '../fit/methods.js'
import type { Settings } from '../fit/options.js'
import { type PlainFit, plainOf } from '../fit/plain-fit.js'
import { type Prepared, prepare } from '../fit/prepare.js'
import type { TableFit } from '../fit/table-fit.js'
import { inUserUnits, type ResponseUnits } from '../fit/units.js'
import { predictions } from '../predict/predictions.js'
import type { Words } from '../words.js'
import { inUnits } from './in-units.js'
import type { JudgedRows } from './judge-rows.js'
import { knowing } from './known-moments.js'
import { passModel, plainParams } from './pass-model.js'
import type { PassRows, RowFit } from './pass-rows.js'
import { rowPlan } from './row-plan.js'
import type { Source } from './row-source.js'
import { evenRows, joined, sampleInUnits, taken, unlike, withRare } from './sample-rows.js'
import { inWholeUnits } from './whole-columns.js'

/** What a fit says of some rows. */
export interface JudgedBlock {
  readonly clean: Float64Array
  readonly losses: Float64Array
  readonly predicted: Float64Array | undefined
  readonly suggested: Int32Array | undefined
}

/** A fit with its rows, and the rules by which they are judged. */
export interface Fitting<Rows> {
  readonly fit: TableFit
  readonly rows: Rows
  readonly rule: RowFit<Params>
  readonly answer: ResponseUnits
  judge(block: Supervised): JudgedBlock
  /** The fit that trusts every row, with intervals: as `plainFit`. */
  plain(): Promise<PlainFit>
}

/** A fit by passes over the rows of a source, as `fitTable` fits columns in memory. */
export async function fitPasses<Rows extends PassRows>(
  source: Source<Rows>,
  settings: Settings,
  words: Words,
  untrusted: ReadonlySet<string> = new Set(),
): Promise<Fitting<Rows>> {
  const first = prepare(source.sample, settings, inTable(words, source), untrusted, source.whole)
  const idle = leftWithGaps(first, source)
  if (idle.length > 0)
    return await fitPasses(await source.ignoring([...source.ignored, ...idle]), settings, words, untrusted)
  const { model, response } = first
  const { intercept, method } = settings
  const plan = rowPlan(first, source, settings.cells, settings.strict, words)
  const open = await source.open(plan)
  const { prepared, kept, units, answer, known } = await inWholeUnits(first, open, settings)
  const { columns } = prepared
  if (model === 'pca') checkComponents(settings.components, columns.length, method, words)
  // What rows are called in other units is of the same kind.
  const inTheirOwn = open.inUnits(kept, units, answer) as Rows
  const own = passModel(model, response?.classes?.length ?? 2, settings)
  const sample = sampleInUnits(prepared, units, answer)
  const even = evenRows(prepared, source)
  const sums = own.by === 'moments' ? knowing(inTheirOwn.sums(own), known) : inTheirOwn.sums(own)
  const fit = await fitBy(own, sums, () => withRare(sample, even, intercept), settings, answer)
  const standard = fit.model ?? own
  const names = columns.map((column) => column.name)
  const more = untrustedCategories(fit.status, prepared)
  if (more.length > 0) return await fitPasses(source, settings, words, new Set([...untrusted, ...more]))
  // What is not worth showing needs no last pass.
  judge(fit.status, sample.x, columns, words)
  const fitted = plainParams(model, fit.params, names.length)
  const supervised = response !== undefined
  const rule = {
    model: standard,
    params: fit.params,
    clean: fit.clean,
    fitted,
    supervised,
    worst: source.worstRows,
  }
  const judged = await inTheirOwn.judge(rule)
  const evenly = taken(sample, even)
  // Rows without numbers cannot be told from the worst, unless they are not among them.
  const trusted = source.isDatabase ? weigh(standard, evenly, fit.clean) : undefined
  const some = trusted === undefined ? even : even.filter((_, k) => trusted[k]! >= flagBelow)
  const places = Float64Array.from(some, (i) => source.places[prepared.rows[i]!]!)
  const worst = unlike(judged.worst, open.inputPlaces(judged.worst.places), places)
  const shown = joined(taken(sample, some), worst)
  const judgeRows = (data: Supervised): JudgedBlock => {
    const losses = new Float64Array(data.x.rows)
    standard.likelihood.losses(data, fit.params, losses)
    const { predicted, suggested } = response === undefined ? {} : predictions(fitted, data.x)
    if (model === 'linear') rescale(predicted!, answer)
    return { clean: weigh(standard, data, fit.clean), losses, predicted, suggested }
  }
  const rows = judgeRows(shown)
  const table = assemble({
    // Blocks are counted column by column: which rows have nothing at all is not known of them.
    prepared: {
      ...prepared,
      inputRows: open.inputRows,
      missing: open.missing,
      emptyBelow: 0,
      rows: { length: open.rows },
    },
    settings,
    words,
    fit,
    fitted,
    ml: () => plainParams(model, fit.ml, names.length),
    units,
    answer,
    separations:
      response?.classes && tellLabels(shown, judged, judgeRows, response.classes.length, intercept),
    labels: { ...evenly, clean: weigh(standard, evenly, fit.clean), intercept },
    x: shown.x,
    rows: {
      ...rows,
      rows: Int32Array.from([...places, ...worst.places]),
      part: {
        rows: open.rows,
        below: judged.below,
        labels: judged.labels,
        worst: judged.worst.places.length,
        beside: worst.places.length,
      },
      response: response && { ...response, y: model === 'linear' ? inAnswer(shown.y, answer) : shown.y },
      explained: judged.explained,
      effectiveRows: judged.effectiveRows,
      flagged: judged.flagged,
    },
  })
  return {
    fit: table,
    rows: inTheirOwn,
    rule,
    answer,
    async plain() {
      const plain = inUserUnits(plainParams(model, fit.ml, names.length), units, answer)
      const covariance = await mlCovariance(own, sums, fit.ml)
      return plainOf(plain, covariance, open.rows, names, response?.classes ?? [], intercept, units, answer)
    },
    judge({ x, y }) {
      const own = matrix(x.rows, kept.length)
      inUnits(x, kept, units, own.values)
      return judgeRows({ x: own, y: y.map((value) => (value - answer.centre) / answer.scale) })
    },
  }
}

async function fitBy(
  model: PassModel<Params>,
  rows: Aggregates<Params>,
  sample: () => Supervised,
  { method, assumed, errors, seed, onProgress }: Settings,
  responseUnits: ResponseUnits,
): Promise<PassesFit<Params>> {
  const onStep = (pass: number, level: number | undefined): void =>
    onProgress?.({ phase: 'fitting', rows: rows.rows, pass, level })
  if (method === 'ml') return await mlByPasses(model, rows)
  if (method === 'paper') {
    const goodRows = rows.rows * (1 - (assumed ?? defaultAssumed))
    // Its weights rank rows: their mean is no share of bad ones.
    const onPass = (pass: number): void => onStep(pass, undefined)
    return await paperByPasses(model, rows, {
      onStep: onPass,
      ...(model.name === 'covariance' ? { goodRows } : {}),
    })
  }
  return await calibratedByPasses(model, rows, sample(), {
    onStep,
    errors: errors ?? defaultErrors,
    seed,
    ...(model.name === 'linear' ? { responseUnits } : {}),
  })
}

/** Columns that cost no row, as they were left out before rows were, though the sample took their gaps for such. */
function leftWithGaps({ needed, left }: Prepared, { whole, ignored }: Source<unknown>): string[] {
  const isIdle = (name: string): boolean => !needed.includes(name) && !ignored.includes(name)
  return left.map(({ column }) => column).filter((name) => isIdle(name) && gapsOf(whole.filled, name) > 0)
}

/** Rows of the sample by their numbers in the table. */
function inTable(words: Words, { places }: Source<unknown>): Words {
  return { ...words, row: (i) => words.row(places[i]! >= 0 ? places[i]! : i) }
}

/** Labels that can be told perfectly: by a sample, the worst rows, and those of all that speak against it. */
function tellLabels(
  shown: Supervised,
  { telling }: JudgedRows,
  judge: (rows: Supervised) => JudgedBlock,
  classes: number,
  intercept: boolean,
): readonly Separation[] | undefined {
  const { x, y } = telling === undefined ? shown : joined(shown, telling)
  const { clean, suggested } = judge({ x, y })
  const trusted = Array.from(clean, (p) => p >= flagBelow)
  return separations({ x, y, classes, suggested: suggested!, trusted, intercept })
}

function inAnswer(y: Float64Array, { centre, scale }: ResponseUnits): Float64Array {
  return y.map((value) => value * scale + centre)
}
