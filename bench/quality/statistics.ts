/** What the programs that measure an honest level sum up by. */

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function shareOf(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length / flags.length
}

export function mostFrequent(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as [string, number])[0]
}

export function deviationOf(values: ArrayLike<number>): number {
  const all = Array.from(values)
  const mean = meanOf(all)
  return Math.sqrt(meanOf(all.map((value) => (value - mean) ** 2)))
}

/** Two standard errors of a share that is measured in so many runs. */
export function twoErrors(share: number, runs: number): number {
  return 2 * Math.sqrt((share * (1 - share)) / runs)
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
export const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`

/** The names of a group that `--only` names, or all of them where it names none. */
export function chosen<Name extends string>(only: readonly string[], group: readonly Name[]): Name[] {
  const named = group.filter((name) => only.includes(name))
  return named.length > 0 ? named : [...group]
}

/** Ends the program where `--only` names what there is not: nothing would be measured, and nobody would notice. */
export function refuseUnknown(only: readonly string[], ...groups: ReadonlyArray<readonly string[]>): void {
  const known = groups.flat()
  const unknown = only.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  process.stderr.write(`--only: one of ${known.join(', ')} is needed, got ${unknown.join(', ')}\n`)
  process.exit(2)
}

/** The 95 % quantiles of Student's t with 1 … 13 degrees of freedom, for intervals of 90 %. */
const STUDENT = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.796, 1.782, 1.771]

export function studentQuantile(degrees: number): number {
  const found = STUDENT[degrees - 1]
  if (found === undefined) throw new Error(`studentQuantile: 1 to ${STUDENT.length} degrees, got ${degrees}`)
  return found
}
