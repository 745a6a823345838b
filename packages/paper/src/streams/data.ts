import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { systemError } from '@rlvi/io'
import { type Matrix, phrase, RlviError, sharedMatrix } from 'rlvi'
import { draws } from 'rlvi/random'
import { readNumberTable } from '../shared/number-table.js'

/** Rows in the order of their arrival, with true labels 0 to K - 1. */
export interface LabelledStream {
  readonly name: string
  readonly x: Matrix
  readonly labels: Float64Array
  readonly classes: number
}

const MOST_CLASSES = 100

/** Every CSV file of a folder (or one file), gzip allowed: columns of numbers, the last of which is the label. */
export async function readStreams(path: string): Promise<LabelledStream[]> {
  const files = await filesAt(path)
  if (files.length === 0) {
    throw new RlviError('data', 'a folder with .csv or .csv.gz files is needed, or such a file', path)
  }
  const found: LabelledStream[] = []
  for (const file of files) found.push(streamOf(file, await readFile(file)))
  return found
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = (await readdir(path)).filter((name) => /\.csv(\.gz)?$/i.test(name)).sort()
    return names.map((name) => join(path, name))
  } catch (problem) {
    throw new RlviError('data', `${path} must be readable`, phrase(systemError(problem)))
  }
}

function streamOf(path: string, bytes: Uint8Array): LabelledStream {
  const table = readNumberTable(path, bytes)
  const names = table.names.slice(0, -1)
  if (names.length === 0 || table.rows === 0) {
    throw new RlviError(path, 'features, a label as the last column, and rows are needed', [...table.names])
  }
  const given = table.column(table.names.at(-1) ?? '')
  const values = [...new Set(given)].sort((a, b) => a - b)
  if (values.length < 2 || values.length > MOST_CLASSES) {
    const rule = `the last column must hold labels, of 2 to ${MOST_CLASSES} kinds`
    throw new RlviError(path, rule, values.length, 'move the column with the label to the end')
  }
  const x = sharedMatrix(table.rows, names.length)
  for (const [j, name] of names.entries()) {
    const column = table.column(name)
    for (let i = 0; i < column.length; i++) x.values[i * names.length + j] = column[i] ?? 0
  }
  const labels = given.map((value) => values.indexOf(value))
  return { name: basename(path).replace(/\.csv(\.gz)?$/i, ''), x, labels, classes: values.length }
}

/** A stream to try things on where no data are given: two classes divided by a plane that turns by and by. */
export function standInStream(seed: number, rows = 20000, features = 10): LabelledStream {
  const random = draws(seed, 'turning plane')
  const x = sharedMatrix(rows, features)
  const labels = new Float64Array(rows)
  const plane = Float64Array.from({ length: features }, () => random.normal())
  for (let i = 0; i < rows; i++) {
    let score = 0
    for (let j = 0; j < features; j++) {
      const value = random.normal()
      x.values[i * features + j] = value
      score += value * (plane[j] ?? 0)
      // Over all rows each coefficient wanders by about its own size.
      plane[j] = (plane[j] ?? 0) + random.normal() / Math.sqrt(rows)
    }
    labels[i] = score > 0 ? 1 : 0
  }
  return { name: 'stand-in (synthetic)', x, labels, classes: 2 }
}
