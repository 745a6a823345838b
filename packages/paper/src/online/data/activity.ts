import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { systemError } from '@rlvi/io'
import { type Matrix, phrase, RlviError, sharedMatrix } from 'rlvi'
import { type NumberTable, readNumberTable } from '../../shared/number-table.js'
import { readMat } from './mat.js'

/** What people did, by number from 1 on. The task of the paper: is the person moving (from 3 on)? */
export const activities: readonly string[] = ['Sitting', 'Standing', 'Walking', 'Running', 'Dancing']
export const FIRST_MOVING = 3

/** Windows of acceleration, a row of features each, and what the person did. */
export interface ActivityData {
  /** What tables and figures call the data. */
  readonly name: string
  /** Made up, so that the paper's numbers cannot be expected. */
  readonly standIn: boolean
  readonly features: Matrix
  /** From 1 on, an index into `activities`. */
  readonly activity: Float64Array
}

const axes = ['X', 'Y', 'Z'] as const
const six = [1, 2, 3, 4, 5, 6] as const

/** The names of the 60 features, in the order of `humanactivity.mat`. */
export const featureNames: readonly string[] = [
  ...axes.map((axis) => `TotalAcc${axis}Mean`),
  ...axes.map((axis) => `BodyAcc${axis}RMS`),
  ...axes.flatMap((axis) =>
    ['CovZeroValue', 'CovFirstPos', 'CovFirstValue'].map((what) => `BodyAcc${axis}${what}`),
  ),
  ...axes.flatMap((axis) =>
    ['Pos', 'Val'].flatMap((what) => six.map((k) => `BodyAcc${axis}Spect${what}${k}`)),
  ),
  ...axes.flatMap((axis) => [1, 2, 3].map((band) => `BodyAcc${axis}PowerBand${band}`)),
]

/** Reads `humanactivity.mat`, or a CSV file of it (gzip allowed) with 60 features and `actid`. */
export async function readActivity(path: string): Promise<ActivityData> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (problem) {
    throw new RlviError('data', `${path} must be readable`, phrase(systemError(problem)))
  }
  const { features, activity } = /\.mat$/i.test(path) ? fromMat(path, bytes) : fromTable(path, bytes)
  if (features.rows < 2) throw new RlviError(path, 'at least 2 rows are needed', features.rows)
  for (const [i, value] of activity.entries()) {
    if (!Number.isInteger(value) || value < 1 || value > activities.length) {
      throw new RlviError(
        path,
        `actid of row ${i + 1} must be a whole number from 1 to ${activities.length}`,
        value,
      )
    }
  }
  const wrong = features.values.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0) {
    const row = Math.floor(wrong / features.cols) + 1
    throw new RlviError(path, `every feature must be a finite number; row ${row}`, features.values[wrong])
  }
  return { name: basename(path), standIn: false, features, activity }
}

type Parts = Pick<ActivityData, 'features' | 'activity'>

function fromMat(path: string, bytes: Uint8Array): Parts {
  const variables = readMat(path, bytes)
  const feat = variables.get('feat')
  const actid = variables.get('actid')
  if (feat === undefined || actid === undefined) {
    throw new RlviError(path, 'numeric matrices feat and actid are needed', [...variables.keys()])
  }
  if (feat.cols !== featureNames.length) {
    throw new RlviError(path, `feat must have ${featureNames.length} columns`, feat.cols)
  }
  if (actid.values.length !== feat.rows || Math.min(actid.rows, actid.cols) > 1) {
    const got = `${actid.rows} x ${actid.cols}`
    throw new RlviError(path, `actid must be a vector of ${feat.rows} numbers, one for each row of feat`, got)
  }
  const features = sharedMatrix(feat.rows, feat.cols)
  features.values.set(feat.values)
  return { features, activity: actid.values }
}

function fromTable(path: string, bytes: Uint8Array): Parts {
  const table = readNumberTable(path, bytes)
  const names = featureColumns(path, table)
  const features = sharedMatrix(table.rows, names.length)
  for (const [j, name] of names.entries()) {
    const column = table.column(name)
    for (let i = 0; i < column.length; i++) features.values[i * names.length + j] = column[i] ?? Number.NaN
  }
  return { features, activity: table.column('actid') }
}

/** The features by their published names, where all are there; else every column but `actid` is one. */
function featureColumns(path: string, { names }: NumberTable): readonly string[] {
  if (featureNames.every((name) => names.includes(name))) return featureNames
  const others = names.filter((name) => name !== 'actid')
  if (others.length === featureNames.length) return others
  throw new RlviError(
    path,
    `${featureNames.length} feature columns are needed beside actid, or those that are called ${featureNames[0]}, ${featureNames[1]} and so on`,
    others.length,
  )
}
