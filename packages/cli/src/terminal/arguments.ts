import type { RlviError } from 'rlvi'
import { type Flags, flagName } from './flags.js'

/** Arguments of the libraries that commands have a flag for, by the flag's key. Other words may mean something else. */
const keys: ReadonlyMap<string, string> = new Map([
  ...[
    'data',
    'encoding',
    'folds',
    'from',
    'limit',
    'memory',
    'network',
    'noise',
    'only',
    'out',
    'rate',
    'resume',
    'size',
    'skip',
    'split',
    'table',
  ].map((name): [string, string] => [name, name]),
  ['assumed', 'assume'],
])

/**
 * An error as a command with these flags says it. A library speaks of its arguments, as what the error is about or between
 * backticks; on the command line these are flags. A file may have such a name too: what was given as an argument
 * stays.
 */
export function inFlags({ where, message }: RlviError, flags: Flags, given: readonly string[]): string {
  const named = (word: string): string | undefined => {
    const key = keys.get(word)
    const flag = key === undefined ? undefined : flags[key]
    return flag === undefined ? undefined : flagName(key!, flag)
  }
  const about = given.includes(where) ? where : (named(where) ?? where)
  return (about + message.slice(where.length)).replaceAll(/`(\w+)`/g, (text, word) => named(word) ?? text)
}
