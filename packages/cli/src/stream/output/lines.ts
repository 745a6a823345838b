import { type Cells, cells } from '@rlvi/estimator'
import type { OnlineResult } from 'rlvi'
import { printable } from '../../terminal/printable.js'
import { rowNumber } from '../../terminal/row-number.js'
import type { Taken } from '../input/batch.js'
import { type Choices, rulesOf } from '../options.js'
import type { Plan } from '../state/checkpoint.js'

/** Turns what was found about a batch into lines of JSON. */
export type Lines = (result: OnlineResult, batch: Omit<Taken, 'x'>) => string

export function lines(choices: Choices, { classes, labelsAs }: Plan): Lines {
  // JSON has escaped quotes and control characters; the rest that a terminal must not see is escaped here.
  const labels = classes.map((label) =>
    printable(JSON.stringify(asCame(label, labelsAs, cells(rulesOf(choices))))),
  )
  return choices.per === 'row' ? rowLines(labels) : batchLine(labels)
}

/** A label in the type that the rows have it in. */
function asCame(label: string, type: Plan['labelsAs'], { numberOf }: Cells): string | number | boolean {
  const number = numberOf(label)
  if (typeof number === 'string' || type === 'string' || type === undefined) return label
  return type === 'boolean' ? number === 1 : number
}

function rowLines(labels: readonly string[]): Lines {
  return (result, { rows, ids }) => {
    const { predictions, probabilities, clean, losses } = result
    const level = `,"level":${json(result.level)},"event":`
    const last = rows.length - 1
    let text = ''
    for (let i = 0; i < rows.length; i++) {
      const label = predictions[i]!
      const K = labels.length
      // As in the files of `rlvi fit`: the probability of the second label, or of the suggested one among several.
      const predicted =
        probabilities === undefined ? label : probabilities.values[i * K + (K === 2 ? 1 : label)]
      const suggested = probabilities === undefined ? '' : `,"suggested":${labels[label]}`
      const id = ids === undefined ? '' : `,"id":${printable(ids[i]!)}`
      text += `{"row":${rowNumber(rows[i]!)}${id},"batch":${result.batch},"predicted":${json(predicted)}${suggested}`
      text += `,"clean":${json(clean[i])},"loss":${json(losses[i])}${level}${i === last ? event(result) : 'null'}}\n`
    }
    return text
  }
}

function batchLine(labels: readonly string[]): Lines {
  return (result, { y, rows }) => {
    const n = rows.length
    let wrong = 0
    let flagged = 0
    let loss = 0
    for (let i = 0; i < n; i++) {
      const prediction = result.predictions[i]!
      if (prediction !== y[i]) wrong++
      if (result.clean[i]! < 0.5) flagged++
      loss += result.losses[i]!
    }
    const score =
      labels.length > 0
        ? `"accuracy":${json((n - wrong) / n)}`
        : `"error":${json(medianError(result.predictions, y))}`
    return (
      `{"batch":${result.batch},"rows":${n},"first":${rowNumber(rows[0]!)},"last":${rowNumber(rows[n - 1]!)},${score}` +
      `,"loss":${json(loss / n)},"flagged":${flagged},"level":${json(result.level)}` +
      `,"smoothedLevel":${json(result.smoothedLevel)},"event":${event(result)}}\n`
    )
  }
}

/** Not the mean: one bad row would decide it. */
function medianError(predictions: Float64Array, y: Float64Array): number {
  const errors = predictions.map((prediction, i) => Math.abs(prediction - y[i]!)).sort()
  const half = errors.length >> 1
  return errors.length % 2 === 1 ? errors[half]! : (errors[half - 1]! + errors[half]!) / 2
}

function event({ event: { kind } }: OnlineResult): string {
  return kind === 'none' ? 'null' : `"${kind}"`
}

/** JSON knows no infinity and no NaN. */
function json(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? 'null' : String(value)
}
