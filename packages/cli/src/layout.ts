import { printable } from './printable.js'

const WIDEST = 40

/** Lines of `label  value`, aligned. */
export function pairs(lines: readonly (readonly [string, string])[]): string {
  const wide = Math.max(...lines.map(([label]) => label.length)) + 2
  return lines.map(([label, value]) => `${label.padEnd(wide)}${value}\n`).join('')
}

/** A table: the first column to the left, numbers to the right. All cells are made safe to show. */
export function grid(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(cell))
  const wide = header.map((_, j) => Math.max(...cells.map((row) => length(row[j] ?? ''))))
  return cells
    .map((row) => {
      const parts = row.map((text, j) => {
        const space = ' '.repeat(Math.max(0, wide[j]! - length(text)))
        return j === 0 ? text + space : space + text
      })
      return `${parts.join('  ').trimEnd()}\n`
    })
    .join('')
}

/** Five digits are enough to read; files and JSON have all of them. */
export function brief(value: number): string {
  return String(Number(value.toPrecision(5)))
}

function cell(text: string): string {
  const safe = printable(text)
  return length(safe) > WIDEST ? `${[...safe].slice(0, WIDEST - 1).join('')}…` : safe
}

function length(text: string): number {
  return [...text].length
}
