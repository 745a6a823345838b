import { printable } from '../terminal/printable.js'

/** A table for a terminal: names of files stand in it. */
export function toText(table: string): string {
  return `${table.trimEnd().split('\n').map(printable).join('\n')}\n`
}
