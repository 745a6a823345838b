import type { CellRules, Thousands } from '@rlvi/estimator'
import { encodingNamed } from '@rlvi/io'
import { type Flag, flag, type OptionsOf } from './flags.js'
import { UsageError } from './usage.js'

/** How a file of text is read: the same in every command that reads tables. */
export const readingFlags = {
  delimiter: flag.of(
    'SIGN',
    'what parts the values of CSV, instead of looking at its first lines: , ; | tab',
    delimiter,
  ),
  decimal: flag.oneOf('SIGN', ['.', ','], 'what stands before decimals: . (default) or ,'),
  thousands: flag.of(
    'SIGN',
    'what stands between groups of digits, as in 1,234: , . space apostrophe underscore; without it nothing does',
    thousands,
  ),
  units: words('what stands beside numbers and is no part of them: $ % kg'),
  encoding: flag.of(
    'NAME',
    'how letters are written: utf-8, latin1, utf-16le, …; without it what the bytes say',
    encoding,
  ),
  skip: flag.wholeNumber(
    'N',
    0,
    'lines above the header that are left out, instead of those that look like a title',
  ),
  header: flag.of('yes|no', 'whether the first line names the columns, instead of looking at it', yesOrNo),
  missing: words('the values that say that there is none, in place of NA, null, - and the like'),
}

/** How a file is read. */
export type ReadingOptions = OptionsOf<typeof readingFlags>

function delimiter(name: string, text: string): string {
  const sign = { tab: '\t', '\\t': '\t', space: ' ', comma: ',', semicolon: ';' }[text.toLowerCase()] ?? text
  if (/^[^"\r\n\w.+-]$/.test(sign)) return sign
  throw new UsageError(name, 'one sign is needed, such as , ; | or tab', text)
}

const names: Readonly<Record<string, Thousands>> = {
  ',': ',',
  comma: ',',
  '.': '.',
  point: '.',
  ' ': 'space',
  space: 'space',
  "'": 'apostrophe',
  '’': 'apostrophe',
  apostrophe: 'apostrophe',
  _: 'underscore',
  underscore: 'underscore',
}

function thousands(name: string, text: string): Thousands {
  const found = Object.hasOwn(names, text) ? names[text] : undefined
  if (found !== undefined) return found
  throw new UsageError(name, 'one of , . space apostrophe underscore is needed', text)
}

/** How single values are read, of all that says how a file is. */
export function cellRules({ missing, decimal, thousands, units, dateOrder }: CellRules): CellRules {
  return { missing, decimal, thousands, units, dateOrder }
}

function yesOrNo(name: string, text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError(name, 'yes or no is needed', text)
}

function encoding(name: string, text: string): string {
  const found = encodingNamed(text)
  if (found !== undefined) return found
  throw new UsageError(name, 'an encoding that is known is needed, such as latin1 or utf-16le', text)
}

/** `A,B`, one or more times; undefined where it is not given. */
function words(help: string): Flag<readonly string[] | undefined, readonly string[]> {
  return {
    ...flag.list('A,B', help),
    read: (given) => given?.flatMap((text) => text.split(',')).map((word) => word.trim()),
  }
}
