import { RlviError } from 'rlvi'

/** Arguments of the libraries that the command line has a flag for, and the flag. */
const flags: ReadonlyMap<string, string> = new Map([
  ...['data', 'folds', 'from', 'limit', 'network', 'noise', 'only', 'out'].map(asFlag),
  ...['rate', 'size', 'split', 'strict', 'table'].map(asFlag),
  ['assumed', '--assume'],
])

function asFlag(name: string): readonly [string, string] {
  return [name, `--${name}`]
}

/**
 * An error as the command says it. A library speaks of its arguments, as what the error is about or between backticks; on
 * the command line these are flags.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof RlviError)) return error instanceof Error ? error.message : String(error)
  const { where, message } = error
  const about = flags.get(where) ?? where
  return (about + message.slice(where.length)).replaceAll(/`(\w+)`/g, (text, name) => flags.get(name) ?? text)
}
