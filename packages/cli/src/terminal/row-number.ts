/**
 * Rows as people count them: row 1 is the first of the table, right after the header. All that people and files see counts
 * so; arrays, and the libraries that speak of them, count from 0.
 */
export function rowNumber(index: number): number {
  return index + 1
}

/** The place of a row in arrays, by its number. */
export function rowIndex(number: number): number {
  return number - 1
}

/** What a table calls its column of them: it says from what they count. */
export const rowHeader = 'row (from 1)'

/** What messages that name a row say of it. */
export const rowsCount = 'rows count from 1, after the header'
