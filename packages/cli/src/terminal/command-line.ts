import { type Flags, flagName, type GivenOf, isGiven } from './flags.js'

/** A command line again, as a shell takes it, for who reads a report later. */
export function commandLine<F extends Flags>(
  name: string,
  args: readonly string[],
  flags: F,
  given: NoInfer<GivenOf<F>>,
): string {
  const words = Object.entries(given).flatMap(([key, value]) => {
    const flag = flags[key]!
    if (!isGiven(flag, value)) return []
    const own = flagName(key, flag)
    if (typeof value === 'boolean') return [own]
    return (Array.isArray(value) ? value : [value]).flatMap((text) => [own, String(text)])
  })
  return ['rlvi', name, ...args, ...words].map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w./,:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
