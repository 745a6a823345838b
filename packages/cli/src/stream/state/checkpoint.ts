import { crc32 } from 'node:zlib'
import type { Encoding } from '@rlvi/estimator'
import type { Place } from '@rlvi/io'
import type { OnlineState } from 'rlvi'
import type { Choices } from '../options.js'

/** How far the input has been learned: always through the end of a batch. */
export interface Position extends Place {
  /** Which of the inputs. */
  readonly source: number
  /** Rows so far, broken ones too: the number of the next row. */
  readonly rows: number
  readonly broken: number
  /** The input ended in a line without a newline, which was taken as it was. */
  readonly unterminated: boolean
}

export const beginning: Position = {
  source: 0,
  bytes: 0,
  lines: 0,
  crc: 0,
  rows: 0,
  broken: 0,
  unterminated: false,
}

/** How rows become numbers. */
export interface Plan {
  /** The sign between the values of CSV; null for NDJSON. */
  readonly delimiter: string | null
  /** The names of CSV's header; empty for NDJSON. */
  readonly header: readonly string[]
  /** The labels in order; none for a target of numbers. */
  readonly classes: readonly string[]
  /** What labels are in the rows; texts where it is left out. */
  readonly labelsAs?: 'number' | 'boolean' | 'string'
  readonly features: readonly Encoding[]
}

/** What has been written so far, so that a file can be cut back to it. */
export interface Written {
  /** Size of the file before the first line. */
  readonly from: number
  readonly bytes: number
  readonly crc: number
}

/** All that a run needs to go on as if it had never stopped. Nothing in it depends on when or how often it stopped. */
export interface Checkpoint {
  readonly format: 'rlvi-stream'
  readonly version: 3
  readonly choices: Choices
  readonly position: Position
  /** Null before the first batch. */
  readonly learned: { readonly plan: Plan; readonly state: OnlineState } | null
  readonly out: Written
  /** What was read from a pipe after the position, in base64. */
  readonly unlearned: string
}

/** One line of JSON that ends in its own CRC-32, so that a file that was cut or changed is known as such. */
export function checkpointText(checkpoint: Checkpoint): string {
  const text = JSON.stringify(checkpoint)
  return `${JSON.stringify({ ...checkpoint, crc: crc32(text) })}\n`
}
