import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Encoding } from '@rlvi/estimator'
import { type Place, systemError } from '@rlvi/io'
import { phrase, RlviError, type StreamState, show } from 'rlvi'
import * as v from 'valibot'
import type { Choices } from './options.js'

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
  readonly version: 1
  readonly choices: Choices
  readonly position: Position
  /** Null before the first batch. */
  readonly learned: { readonly plan: Plan; readonly stream: StreamState } | null
  readonly out: Written
  /** What was taken from a pipe after the position, in base64. */
  readonly held: string
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const texts = v.array(v.string())
const schema = v.object({
  format: v.literal('rlvi-stream'),
  version: v.literal(1),
  choices: v.looseObject({ target: v.string() }),
  position: v.object({
    source: count,
    bytes: count,
    lines: count,
    crc: count,
    rows: count,
    broken: count,
    unterminated: v.boolean(),
  }),
  learned: v.nullable(
    v.object({
      plan: v.object({
        delimiter: v.nullable(v.string()),
        header: texts,
        classes: texts,
        features: v.array(v.looseObject({ name: v.string(), kind: v.picklist(['number', 'category']) })),
      }),
      stream: v.looseObject({ version: v.literal(1) }),
    }),
  ),
  out: v.object({ from: count, bytes: count, crc: count }),
  held: v.string(),
  crc: count,
})

/** One line of JSON that ends in its own CRC-32, so that a file that was cut or changed is known as such. */
export function checkpointText(checkpoint: Checkpoint): string {
  const text = JSON.stringify(checkpoint)
  return `${JSON.stringify({ ...checkpoint, crc: crc32(text) })}\n`
}

/** The checkpoint in a file; undefined where there is no such file. Never starts anew because of a broken one. */
export function loadCheckpoint(path: string, choices: Choices): Checkpoint | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new RlviError(path, 'a state that rlvi stream wrote is needed', phrase(systemError(error)))
  }
  const raw = json(path, text)
  const parsed = v.safeParse(schema, raw)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const where = `${path}${v.getDotPath(issue) === null ? '' : ` at ${v.getDotPath(issue)}`}`
    throw new RlviError(where, `a state has ${issue.expected ?? 'another value'} there`, issue.input, todo)
  }
  const { crc, ...rest } = raw as Checkpoint & { readonly crc: number }
  if (crc32(JSON.stringify(rest)) !== crc) {
    throw new RlviError(path, 'a state as rlvi stream wrote it is needed', phrase('a changed one'), todo)
  }
  checkChoices(path, rest.choices, choices)
  return rest
}

const todo = 'mend it from a copy, or remove it to begin anew'

function json(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const got = text.trim() === '' ? phrase('an empty file') : text
    throw new RlviError(path, 'a state that rlvi stream wrote is needed', got, todo)
  }
}

function checkChoices(path: string, before: Choices, now: Choices): void {
  for (const key of Object.keys(now) as (keyof Choices)[]) {
    if (JSON.stringify(before[key]) === JSON.stringify(now[key])) continue
    const rule = `was made with --${key} ${told(before[key])}`
    throw new RlviError(path, rule, phrase(told(now[key])), 'give the same flags, or another --state file')
  }
}

function told(value: Choices[keyof Choices]): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'not given'
  return Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' ? one : show(one))).join(',')
    : String(value)
}
