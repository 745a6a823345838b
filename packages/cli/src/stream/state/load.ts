import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { systemError } from '@rlvi/io'
import { phrase, RlviError, show } from 'rlvi'
import * as v from 'valibot'
import type { Choices } from '../options.js'
import type { Checkpoint } from './checkpoint.js'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const texts = v.array(v.string())
const schema = v.object({
  format: v.literal('rlvi-stream'),
  version: v.literal(3),
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
        labelsAs: v.optional(v.picklist(['number', 'boolean', 'string'])),
        features: v.array(v.looseObject({ name: v.string(), kind: v.picklist(['number', 'category']) })),
      }),
      state: v.looseObject({ version: v.literal(2) }),
    }),
  ),
  out: v.object({ from: count, bytes: count, crc: count }),
  unlearned: v.string(),
  crc: count,
})

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
  checkVersion(path, raw)
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

const todo = 'restore it from a copy, or remove it to begin anew'

function json(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const got = text.trim() === '' ? phrase('an empty file') : text
    throw new RlviError(path, 'a state that rlvi stream wrote is needed', got, todo)
  }
}

/** What another release wrote may mean something else by the same keys. */
function checkVersion(path: string, raw: unknown): void {
  const { format, version } = Object(raw) as { readonly format?: unknown; readonly version?: unknown }
  if (format !== 'rlvi-stream' || typeof version !== 'number' || version === 3) return
  const release = 'another release of rlvi wrote it: go on with that one, or remove it to begin anew'
  throw new RlviError(path, 'a state of version 3 is needed', phrase(`one of version ${version}`), release)
}

function checkChoices(path: string, before: Choices, now: Choices): void {
  for (const key of Object.keys(now) as (keyof Choices)[]) {
    // A choice that an earlier release did not have was not made.
    if (JSON.stringify(before[key] ?? null) === JSON.stringify(now[key])) continue
    const rule = `was made with ${key === 'assumed' ? '--assume' : `--${key}`} ${shown(before[key] ?? null)}`
    throw new RlviError(path, rule, phrase(shown(now[key])), 'give the same flags, or another --state file')
  }
}

function shown(value: Choices[keyof Choices]): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'not given'
  return Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' ? one : show(one))).join(',')
    : String(value)
}
