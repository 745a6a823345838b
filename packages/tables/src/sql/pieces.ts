import type { Let } from './dialect.js'

/** Aggregates that belong together, and what must be named before. */
export interface Piece {
  readonly lets: readonly Let[]
  readonly items: readonly string[]
  /** How many sums the items hold. */
  readonly sums: number
}

/** Sums of one query: each is a column of its own while a block of rows is worked on. */
export const MOST_SUMS = 400
/** Words of one query with all names replaced by what they stand for, as some databases do. */
const MOST_WORDS = 60_000

/** Pieces in as few queries as they fit in, in their order. */
export function inQueries(base: readonly Let[], pieces: readonly Piece[]): Piece[][] {
  const queries: Piece[][] = []
  let [sums, words] = [0, 0]
  for (const piece of pieces) {
    const own = wordsOf([...base, ...piece.lets], piece.items)
    const fits = sums + piece.sums <= MOST_SUMS && words + own <= MOST_WORDS
    if (queries.length === 0 || !fits) {
      queries.push([])
      sums = 0
      words = 0
    }
    queries.at(-1)!.push(piece)
    sums += piece.sums
    words += own
  }
  return queries
}

/** How many words items are, with names replaced by what they stand for. */
function wordsOf(lets: readonly Let[], items: readonly string[]): number {
  const sizes = new Map<string, number>()
  const size = (sql: string): number =>
    (sql.match(/[A-Za-z_]\w*|\d[\w.]*/g) ?? []).reduce((total, word) => total + (sizes.get(word) ?? 1), 0)
  for (const [name, sql] of lets) sizes.set(name, size(sql))
  return items.reduce((total, item) => total + size(item), 0)
}
