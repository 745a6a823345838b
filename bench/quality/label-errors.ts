/** Flipped labels in real data: does P(good) find them, and does the fit bear them, better than confident learning? */
import { summarise } from '@rlvi/paper'
import { fit, type SoftmaxParams, type Supervised, softmax } from 'rlvi'
import { say } from '../measure.js'
import { flaggedRows, outOfFold, rowsOf, selfConfidence } from './confident.js'
import { SETS, type SetName, split } from './label-sets.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'

const SHARES = [0.1, 0.2, 0.3]
const RIDGE = 0.01

interface Task {
  readonly set: SetName
  readonly share: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

/** Of one split: areas under the curve, accuracies on clean test rows, and the reported level. */
export interface Scores {
  readonly auc: number
  readonly confidenceAuc: number
  readonly accuracy: number
  readonly droppedAccuracy: number
  readonly plainAccuracy: number
  readonly level: number
}

export function work({ set, share, seed, first, last }: Task): Scores[] {
  return Array.from({ length: last - first }, (_, k) => {
    const parts = split(set, share, seed, first + k)
    const { train, flipped, test, classes } = parts
    const model = softmax({ classes, ridge: RIDGE })
    const ours = fit(model, train)
    const p = outOfFold(model, parts)
    const doubtful = flaggedRows(p, train.y)
    const accuracy = (params: SoftmaxParams): number => accuracyOf(model, params, test)
    return {
      auc: areaUnderCurve(ours.clean, flipped),
      confidenceAuc: areaUnderCurve(selfConfidence(p, train.y), flipped),
      accuracy: accuracy(ours.params),
      droppedAccuracy: accuracy(model.fit(rowsOf(train, (i) => !doubtful[i]))),
      plainAccuracy: accuracy(model.fit(train)),
      level: ours.corruption.level ?? Number.NaN,
    }
  })
}

export function accuracyOf(
  model: ReturnType<typeof softmax>,
  params: SoftmaxParams,
  test: Supervised,
): number {
  const p = model.predict(test.x, params)
  let right = 0
  for (let i = 0; i < p.rows; i++) {
    const row = p.values.subarray(i * p.cols, (i + 1) * p.cols)
    if (row.indexOf(Math.max(...row)) === test.y[i]) right++
  }
  return right / p.rows
}

/** How often a flipped row scores below one that is not; ties count half. */
export function areaUnderCurve(scores: Float64Array, flipped: readonly boolean[]): number {
  let below = 0
  let pairs = 0
  flipped.forEach((isFlipped, i) => {
    if (!isFlipped) return
    flipped.forEach((other, j) => {
      if (other) return
      pairs++
      below += scores[i] < scores[j] ? 1 : scores[i] === scores[j] ? 0.5 : 0
    })
  })
  return below / pairs
}

interface Comparison {
  readonly where: string
  readonly auc: number
  readonly aucError: number
  readonly accuracy: number
  readonly accuracyError: number
}

/** Ours less theirs over the same splits, with the standard error of the mean difference. */
function compare(where: string, all: readonly Scores[]): Comparison {
  const auc = summarise(all.map((s) => s.auc - s.confidenceAuc))
  const accuracy = summarise(all.map((s) => s.accuracy - s.droppedAccuracy))
  return { where, auc: auc.mean, aucError: auc.sem, accuracy: accuracy.mean, accuracyError: accuracy.sem }
}

function criteria(all: readonly Comparison[]): Criterion[] {
  const auc = all.filter((c) => c.auc < -2 * c.aucError)
  const accuracy = all.filter((c) => c.accuracy < -2 * c.accuracyError)
  const where = (failed: readonly Comparison[]): Partial<Criterion> =>
    failed.length === 0 ? {} : { detail: `not on ${failed.map((c) => c.where).join('; ')}` }
  const name = (what: string): string => `${what} at least equal everywhere (less 2 standard errors)`
  return [
    { name: name('area under the curve'), holds: auc.length === 0, ...where(auc) },
    { name: name('accuracy'), holds: accuracy.length === 0, ...where(accuracy) },
  ]
}

async function main({ runs, seed }: RunOptions): Promise<void> {
  const settings = SETS.flatMap((set) => SHARES.map((share) => ({ set, share })))
  const parts = pieces(runs, 5)
  const tasks = settings.flatMap((setting) => parts.map((part) => ({ ...setting, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  const comparisons: Comparison[] = []
  const rows = settings.map(({ set, share }, k) => {
    const all = results.slice(k * parts.length, (k + 1) * parts.length).flat()
    const c = compare(`${set} at ${share}`, all)
    comparisons.push(c)
    const mean = (value: (s: Scores) => number): string => summarise(all.map(value)).mean.toFixed(4)
    return [
      set,
      String(share),
      mean((s) => s.auc),
      mean((s) => s.confidenceAuc),
      `${c.auc < 0 ? '' : '+'}${c.auc.toFixed(4)} ± ${c.aucError.toFixed(4)}`,
      mean((s) => s.accuracy),
      mean((s) => s.droppedAccuracy),
      `${c.accuracy < 0 ? '' : '+'}${c.accuracy.toFixed(4)} ± ${c.accuracyError.toFixed(4)}`,
      mean((s) => s.plainAccuracy),
      mean((s) => s.level),
    ]
  })
  say(`flipped labels in real data, softmax regression, ${runs} splits`)
  table(
    [
      'data',
      'flipped',
      'AUC P(good)',
      'AUC out-of-fold',
      'difference',
      'accuracy',
      'after dropping',
      'difference',
      'plain',
      'level',
    ],
    rows,
  )
  verdict(criteria(comparisons))
}

if (isProgram(import.meta.url)) await main(runOptions(100))
