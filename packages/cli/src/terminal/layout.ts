import { printable } from './printable.js'

const WIDEST = 40

/** A table: numbers to the right, and the first column to the left, unless it holds numbers. All cells are made safe to show. */
export function grid(
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  first: 'left' | 'right' = 'left',
): string {
  const cells = [...(header === undefined ? [] : [header]), ...rows].map((row) => row.map(cell))
  const wide = (cells[0] ?? []).map((_, j) => Math.max(...cells.map((row) => length(row[j] ?? ''))))
  return cells
    .map((row) => {
      const parts = row.map((text, j) => {
        const space = ' '.repeat(Math.max(0, wide[j]! - length(text)))
        return j === 0 && first === 'left' ? text + space : space + text
      })
      return `${parts.join('  ').trimEnd()}\n`
    })
    .join('')
}

/** Five digits are enough to read; files and JSON have all of them. */
export function brief(value: number): string {
  return String(Number(value.toPrecision(5)))
}

/**
 * A value with its standard error: two digits of the error, and of the value as many as they leave a meaning, but at
 * least three.
 */
export function withError(value: number, error: number | undefined): readonly [string, string] {
  if (error === undefined) return [brief(value), '']
  const least = 2 - magnitude(value)
  const digits = Math.max(1 - magnitude(error), least)
  if (digits < 0 || digits > 12) return [brief(value), `± ${significant(error, 2)}`]
  return [value.toFixed(digits), `± ${significant(error, 2)}`]
}

/** That many digits, trailing zeros too, where the number is of a size that is written without an exponent. */
export function significant(value: number, digits: number): string {
  if (value === 0) return '0'
  const places = digits - 1 - magnitude(value)
  return places >= 0 && places <= 12 ? value.toFixed(places) : String(Number(value.toPrecision(digits)))
}

function magnitude(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)))
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function cell(text: string): string {
  const safe = printable(text)
  return length(safe) > WIDEST ? `${[...safe].slice(0, WIDEST - 1).join('')}…` : safe
}

function length(text: string): number {
  return [...text].length
}
