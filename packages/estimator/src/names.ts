import { RlviError, show } from 'rlvi'

/** The name that someone probably meant, if there is one close by. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const simple = name.toLowerCase()
  const bare = lettersOf(name)
  const same = names.find((candidate) => bare !== '' && lettersOf(candidate) === bare)
  // Of what is inside of structures people know the last part of the name.
  const inside = names.find((candidate) => candidate.toLowerCase().endsWith(`.${simple}`))
  if (same !== undefined || inside !== undefined) return same ?? inside
  let best: string | undefined
  // Fewer edits than letters: otherwise any short name is near any other.
  let least = Math.min(name.length, Math.max(2, Math.floor(name.length / 3)) + 1)
  for (const candidate of names) {
    const distance = levenshtein(simple, candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best ?? names.find((candidate) => bare.length > 2 && lettersOf(candidate).includes(bare))
}

/** Without capitals, blanks and signs. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Whether the only column has the name among others: its line was not parted. */
function isWholeLine(name: string, names: readonly string[]): boolean {
  const [only] = names
  return names.length === 1 && only!.length > name.length + 2 && only!.includes(name)
}

/** Throws for a name that is not among those of the columns, and says the nearest. */
export function checkName(where: string, name: string, names: readonly string[], holder: string): void {
  if (names.includes(name)) return
  const near = nearest(name, names)
  const some = names.slice(0, 8).map(show).join(', ')
  const todo = isWholeLine(name, names)
    ? `all names are in one column, ${some}: what parts values was not found`
    : near === undefined
      ? `the columns are ${some}${names.length > 8 ? ', …' : ''}`
      : `did you mean ${show(near)}?`
  throw new RlviError(where, `a column of the ${holder} is needed`, name, todo)
}

/** Insertions, deletions and replacements between two words. */
export function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
