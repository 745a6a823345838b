import { RlviError } from 'rlvi'

/** A name as SQL reads it: `a"b` becomes `"a""b"`. */
export function quoteName(name: string): string {
  if (name === '') throw new RlviError('column name', 'SQL has no empty names', name)
  if (name.includes('\0')) throw new RlviError('column name', 'SQL has no names with a zero byte', name)
  return `"${name.replaceAll('"', '""')}"`
}

/** A text as SQL reads it: `it's` becomes `'it''s'`. */
export function quoteText(text: string): string {
  if (text.includes('\0')) throw new RlviError('text', 'SQL has no texts with a zero byte', text)
  return `'${text.replaceAll("'", "''")}'`
}

/** A path as DuckDB's readers take it: they would read `[1]`, `*` and `?` in a file's name as patterns. */
export function quotePath(path: string): string {
  return quoteText(path.replaceAll(/[*?[]/g, (sign) => `[${sign}]`))
}
