import { type Dialect, dialectOf, fields, namesOf, type Place, type Splitter, splitter } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import type { Choices } from '../options.js'
import { beginning, type Checkpoint, type Plan, type Position } from '../state/checkpoint.js'
import { type Batch, batch, jsonRow, wrongWidth } from './batch.js'
import { checkSameHeader, headerOf } from './header.js'
import { type FirstRow, plan as planned } from './plan.js'

/** Bytes become records, records rows, rows batches. */
export interface Reader {
  take(source: number, bytes: Buffer): void
  /** A source ends. */
  end(source: number): void
  /** Everything ends: what waits is a batch too. */
  finish(): void
  /** Through the last batch. */
  readonly position: Position
  readonly plan: Plan | undefined
  /** Whether bytes are being passed over until a line ends. */
  readonly dropping: boolean
}

export interface ReaderUse {
  name(source: number): string
  /** A row that cannot be learned from. */
  broken(where: string, row: number, problem: string): void
  learn(plan: Plan, rows: ReturnType<Batch['take']>): void
}

export function reader(choices: Choices, saved: Checkpoint | undefined, use: ReaderUse): Reader {
  let position = saved?.position ?? beginning
  let plan = saved?.learned?.plan
  let waiting = plan === undefined ? undefined : batch(choices, plan)
  let { source, rows, broken } = position
  let unterminated = position.unterminated
  let fed = false
  let dialect: Dialect | undefined = plan === undefined ? undefined : dialectOfPlan(plan)
  /** CSV's names, once its header has been read. */
  let header = plan === undefined || plan.delimiter === null ? undefined : plan.header
  /** CSV's column that only numbers or names the rows. */
  let index: string | undefined
  let split: Splitter | undefined = dialect === undefined ? undefined : splitterFor(dialect, position)
  /** What has come of a source whose dialect is not known yet. */
  let head: Buffer = Buffer.alloc(0)

  function each(text: string, line: number, problem: string | undefined): void {
    if (dialect?.format === 'csv' && line <= choices.skip) return
    const where = (): string => `${use.name(source)} line ${line}`
    if (dialect?.format === 'csv' && header === undefined) {
      if (problem !== undefined)
        throw new RlviError(where(), 'a header that can be read is needed', phrase(problem))
      const found = headerOf(where(), fields(text, dialect.delimiter), choices.header)
      header = found.names
      index = found.index
      if (plan !== undefined) checkSameHeader(where(), header, plan.header)
      if (choices.header !== false) return
    }
    const wrong = problem ?? add(text)
    if (wrong !== undefined && isHeaderAgain(text)) return
    if (wrong !== undefined) {
      broken++
      use.broken(where(), rows, wrong)
    }
    rows++
    if (waiting?.length === choices.batch) learn()
  }

  function add(text: string): string | undefined {
    if (waiting === undefined) {
      const first = dialect?.format === 'csv' ? csvRow(text, dialect.delimiter) : ndjsonRow(text)
      if (typeof first === 'string') return first
      plan = planned(choices, first, dialect?.format === 'csv' ? dialect.delimiter : null)
      waiting = batch(choices, plan)
    }
    return waiting.add(text, rows)
  }

  function csvRow(text: string, delimiter: string): FirstRow | string {
    const values = fields(text, delimiter)
    return values.length === header!.length
      ? { names: header!, values, index }
      : wrongWidth(values.length, header!.length)
  }

  /** Tables that were put one after the other repeat it. */
  function isHeaderAgain(text: string): boolean {
    if (dialect?.format !== 'csv' || header === undefined) return false
    const values = fields(text, dialect.delimiter)
    return values.length === header.length && namesOf(values).names.every((name, i) => name === header![i])
  }

  function learn(): void {
    use.learn(plan!, waiting!.take())
    position = here()
  }

  function here(): Position {
    return { source, ...(split?.place() ?? position), rows, broken, unterminated: false }
  }

  function open(bytes: Buffer, ended: boolean): void {
    head = head.length === 0 ? bytes : Buffer.concat([head, bytes])
    dialect ??= dialectOf(use.name(source), below(head), ended, choices.format, choices.delimiter)
    if (dialect === undefined) return
    const start = source === 0 ? beginning : { ...beginning, crc: sourcesBefore.crc }
    split = splitterFor(dialect, start)
    const first = head
    head = Buffer.alloc(0)
    split.take(first, each)
  }

  /** What comes after the lines that are left out, which may be nothing yet. */
  function below(bytes: Buffer): Buffer {
    let at = 0
    for (let k = 0; k < choices.skip; k++) {
      at = bytes.indexOf('\n', at) + 1
      if (at === 0) return Buffer.alloc(0)
    }
    return bytes.subarray(at)
  }

  let sourcesBefore: Place = beginning
  function enter(next: number): void {
    if (next === source) return
    sourcesBefore = split?.place() ?? beginning
    source = next
    split = undefined
    header = undefined
  }

  return {
    take(from, bytes) {
      enter(from)
      fed = true
      if (split === undefined) open(bytes, false)
      else split.take(bytes, each)
    },
    end(from) {
      enter(from)
      if (split === undefined) open(Buffer.alloc(0), true)
      const cut = split?.end(each) ?? false
      // Where nothing came after the last run, its end is still the end.
      if (fed) unterminated = cut
    },
    finish() {
      if (plan === undefined) {
        const got =
          broken > 0
            ? `${broken} broken ${broken === 1 ? 'row' : 'rows'}`
            : header
              ? 'a header alone'
              : 'none'
        throw new RlviError(use.name(source), 'rows are needed', phrase(got))
      }
      if (waiting!.length > 0) learn()
      position = { ...here(), unterminated }
    },
    get position() {
      return position
    },
    get plan() {
      return plan
    },
    get dropping() {
      return split?.dropping ?? false
    },
  }
}

function ndjsonRow(text: string): FirstRow | string {
  const object = jsonRow(text)
  if (typeof object === 'string') return object
  return { names: Object.keys(object), values: Object.values(object), index: undefined }
}

function splitterFor(dialect: Dialect, start: Place): Splitter {
  return splitter(start, dialect.format === 'csv' ? dialect.delimiter : undefined)
}

function dialectOfPlan({ delimiter }: Plan): Dialect {
  return delimiter === null ? { format: 'ndjson' } : { format: 'csv', delimiter }
}
