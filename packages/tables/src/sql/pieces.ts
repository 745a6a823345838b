import type { Let } from './dialect.js'

/** Aggregates that belong together, and what must be named before. */
export interface Piece {
  readonly lets: readonly Let[]
  readonly items: readonly string[]
  /** How many sums the items hold. */
  readonly sums: number
  /** All items as one, in which what they repeat stands once; and how many sums each of them has. */
  readonly once?: string
  readonly lengths?: readonly number[]
}

/** Sums of one query: each is a column of its own while a block of rows is worked on. */
export const MOST_SUMS = 400
/** Words of one query with all names replaced by what they stand for, as some databases do. */
const MOST_WORDS = 60_000

/** A piece of a query, which of the given ones it is of, and whether its one item holds all of its items. */
interface Placed extends Piece {
  readonly of: number
  readonly isOnce: boolean
}

/** Pieces in as few queries as they fit in, in their order. One that is too long alone goes as one item, or some items at a time. */
export function inQueries(base: readonly Let[], pieces: readonly Piece[]): Placed[][] {
  const queries: Placed[][] = []
  let [sums, words] = [0, 0]
  for (const piece of pieces.flatMap((whole, of) => cut(base, { ...whole, of, isOnce: false }))) {
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

function cut(base: readonly Let[], piece: Placed): Placed[] {
  const { lets, items, sums, once } = piece
  const own = wordsOf([...base, ...lets], items)
  const each = Math.max(1, Math.floor((items.length * MOST_WORDS) / own))
  if (own <= MOST_WORDS || each >= items.length) return [piece]
  if (once !== undefined) return [{ ...piece, items: [once], isOnce: true }]
  return Array.from({ length: Math.ceil(items.length / each) }, (_, k) => {
    const some = items.slice(k * each, (k + 1) * each)
    return { ...piece, items: some, sums: (sums * some.length) / items.length }
  })
}

/** How many words items are, with names replaced by what they stand for. */
function wordsOf(lets: readonly Let[], items: readonly string[]): number {
  const sizes = new Map<string, number>()
  const size = (sql: string): number =>
    (sql.match(/[A-Za-z_]\w*|\d[\w.]*/g) ?? []).reduce((total, word) => total + (sizes.get(word) ?? 1), 0)
  for (const [name, sql] of lets) sizes.set(name, size(sql))
  return items.reduce((total, item) => total + size(item), 0)
}
