import { flag, type GivenOf } from '../terminal/flags.js'
import { help } from '../terminal/help.js'
import { readingFlags } from '../terminal/reading-flags.js'
import { shared } from '../terminal/shared-flags.js'

const { table, json } = shared

const whatToSee = {
  target: flag.text('COLUMN', 'the column that a fit would explain: says by which model'),
  categories: flag.list('A,B', 'columns whose values are categories, though they look like numbers or dates'),
  numbers: flag.list('A,B', 'columns whose values are numbers: words among them are missing values'),
  dateOrder: flag.oneOf(
    'ORDER',
    ['dmy', 'mdy'],
    'whether day (dmy) or month (mdy) comes first in dates such as 1/2/2020',
  ),
  table,
  report: flag.file('FILE', ['.html'], 'the same as a page to look at, to .html'),
  json,
}

export const lookFlags = { ...whatToSee, ...readingFlags }

/** The flags of `rlvi look` as a command line has them. */
export type LookFlags = GivenOf<typeof lookFlags>

export const lookHelp = help`
  Look at the columns of a file: what each holds, what is missing, its range and shape, what a fit would do with it.

  Usage
    $ rlvi look FILE [--target COLUMN] [--report look.html]

  FILE is CSV, Parquet, JSON, NDJSON or a DuckDB file, or - for stdin; several files, or a pattern in quotes, are one
  table. Every row is counted, by the database: nothing is fitted.

  What to see
${whatToSee}

  How the file is read
${readingFlags}

  Examples
    $ rlvi look stars.csv
    $ rlvi look mail.parquet --target spam --report mail.html
    $ rlvi look sensors.csv --json

`
