import { readFileSync } from 'node:fs'

/** The columns of a small CSV file without quotes, by name. Relative to the repository's root. */
export function readColumns(path: string): Map<string, string[]> {
  return columnsOf(readFileSync(fromRoot(path), 'utf8'))
}

/** The columns of CSV text without quotes, by name. */
export function columnsOf(text: string): Map<string, string[]> {
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const rows = lines.map((line) => line.split(','))
  return new Map(head.split(',').map((name, j) => [name, rows.map((row) => row[j])]))
}

/** From source (in tests) and compiled (in dist) the root is not equally far. */
export function fromRoot(path: string): URL {
  const up = import.meta.url.includes('/dist/') ? '../../../' : '../../'
  return new URL(up + path, import.meta.url)
}
