import { type Flag, flag, type Valued } from './flags.js'

/** Flags that mean the same in several commands. */
export const shared = {
  target: flag.text('COLUMN', 'the column to explain'),
  features: flag.list('A,B,C', 'the columns to use; without it all of them'),
  exclude: flag.list('A,B', 'all columns but these'),
  table: flag.text(
    'NAME_OR_SQL',
    "for a DuckDB file or ClickHouse: a table's name, or a query; for .xlsx a sheet's name; for JSON a list's",
  ),
  spreadsheetSafe: flag.yes(
    'in CSV an apostrophe before texts that spreadsheet programs would run as formulas',
  ),
  json: flag.yes('the result as one JSON document'),
  seed: flag.wholeNumber('N', 0, 'for all that is random').or(0),
}

/** A level that some methods assume instead of inferring it: one flag in all commands. */
export function assume(help: string): Valued<number> {
  return flag.share('SHARE', help)
}

/** A table with a line for each row. */
export function rowsFile(help: string): Flag<string | undefined, string> {
  return flag.file('FILE', ['.csv', '.parquet'], help)
}
