/** Four significant digits, without an exponent where that is readable. */
export function short(value: number): string {
  if (Number.isNaN(value)) return '-'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size < 1e-4 || size >= 1e6) return value.toExponential(2)
  return value.toFixed(Math.max(0, 3 - Math.floor(Math.log10(size))))
}

/** Shares to four decimals. */
export function fixed(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(4)
}

/** Rows of cells as lines: the first columns, which are words, to the left, numbers to the right. */
export function aligned(rows: ReadonlyArray<readonly string[]>, words: number): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column < words ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    return `  ${cells.join('  ')}`.trimEnd()
  })
}
