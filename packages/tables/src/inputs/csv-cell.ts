/** A value of a table of another format. */
export type Value = string | number | bigint | boolean | Date | null

/** A value as CSV has it: texts are put in quotes and numbers are not, so that a column of texts stays one. */
export function csvCell(value: Value): string {
  if (value === null) return ''
  if (value instanceof Date) {
    const text = value
      .toISOString()
      .replace('T', ' ')
      .replace(/\.000Z$|Z$/, '')
    return text.replace(/ 00:00:00$/, '')
  }
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
}
