import { cells, designColumns, missingValue } from '@rlvi/estimator'
import { fields } from '@rlvi/io'
import { type Matrix, matrix, show, showList } from 'rlvi'
import { type Choices, rulesOf } from '../options.js'
import type { Plan } from '../state/checkpoint.js'
import { asWritten } from './number-source.js'

/** The rows that wait until there are enough of them to learn from. */
export interface Batch {
  readonly length: number
  /** Takes a record in; returns what is wrong with it, if anything is, and then leaves it out. */
  add(record: string, row: number): string | undefined
  /** The rows so far, and their numbers. */
  take(): Taken
}

/** Rows to learn from, their numbers, and what they are known by as JSON, where that was asked for. */
export interface Taken {
  readonly x: Matrix
  readonly y: Float64Array
  readonly rows: readonly number[]
  readonly ids: readonly string[] | undefined
}

export function batch(choices: Choices, { delimiter, header, classes, features }: Plan): Batch {
  const width = designColumns(features).length
  const x = new Float64Array(choices.batch * width)
  const y = new Float64Array(choices.batch)
  let rows: number[] = []
  let ids: string[] = []
  const { target, id } = choices
  // Of a hundred thousand columns a search for each would take a minute.
  const placeOf = new Map(header.map((name, place) => [name, place]))
  const places = features.map(({ name }) => placeOf.get(name) ?? -1)
  const targetPlace = header.indexOf(target)
  const idPlace = id === null ? -1 : header.indexOf(id)
  const numeric = choices.model === 'linear'
  const { numberOf, labelOf, isMissingLabel } = cells(rulesOf(choices))

  function encode(value: (feature: number) => unknown, label: unknown): string | undefined {
    const response = numeric ? numberOf(label) : labelOf(label, classes)
    if (typeof response === 'string') return `column ${show(target)}: ${response}`
    if (!numeric && response < 0) {
      if (isMissingLabel(label, classes)) return `column ${show(target)}: ${missingValue}`
      return `column ${show(target)}: one of the labels ${showList(classes)} is needed, got ${show(label)}`
    }
    let at = rows.length * width
    for (let k = 0; k < features.length; k++) {
      const feature = features[k]!
      const given = value(k)
      if (feature.kind === 'number') {
        const number = numberOf(given)
        if (typeof number === 'string') return `column ${show(feature.name)}: ${number}`
        x[at++] = number
        continue
      }
      const text = typeof given === 'object' ? undefined : String(given)
      const place = text === undefined ? -1 : feature.values.indexOf(text)
      if (place < 0 && text !== feature.base) {
        const known = [feature.base, ...feature.values]
        if (isMissingLabel(given, known)) return `column ${show(feature.name)}: ${missingValue}`
        const list = showList(known)
        return `column ${show(feature.name)}: one of ${list} is needed, got ${show(given)}`
      }
      x.fill(0, at, at + feature.values.length)
      if (place >= 0) x[at + place] = 1
      at += feature.values.length
    }
    y[rows.length] = response
    return undefined
  }

  return {
    get length() {
      return rows.length
    },
    add(record, row) {
      let problem: string | undefined
      let name: string | undefined
      if (delimiter === null) {
        const object = jsonRow(record)
        if (typeof object === 'string') return object
        problem = encode((k) => object[features[k]!.name], object[target])
        if (id !== null) name = Object.hasOwn(object, id) ? written(object[id], record, id) : 'null'
      } else {
        const values = fields(record, delimiter)
        if (values.length !== header.length) return wrongWidth(values.length, header.length)
        problem = encode((k) => values[places[k]!], values[targetPlace])
        if (id !== null) name = JSON.stringify(values[idPlace])
      }
      if (problem !== undefined) return problem
      if (id !== null) {
        if (name === undefined) return `column ${show(id)}: a value that can be written again is needed`
        ids.push(name)
      }
      rows.push(row)
      return undefined
    },
    take() {
      const n = rows.length
      const taken = {
        x: matrix(n, width, x.subarray(0, n * width)),
        y: y.subarray(0, n),
        rows,
        ids: id === null ? undefined : ids,
      }
      rows = []
      ids = []
      return taken
    },
  }
}

/** Undefined where lists lie in lists so deep that only a parser gets to their end. */
function written(value: unknown, record: string, name: string): string | undefined {
  try {
    return asWritten(value, record, name)
  } catch {
    return undefined
  }
}

/** A line of NDJSON, or what is wrong with it. */
export function jsonRow(record: string): Readonly<Record<string, unknown>> | string {
  let value: unknown
  try {
    value = JSON.parse(record)
  } catch {
    return `a JSON object is needed, got ${show(record)}`
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  return `a JSON object is needed, got ${show(value)}`
}

export function wrongWidth(got: number, wanted: number): string {
  return `as many values as the header has, ${wanted}, are needed, got ${got}`
}
