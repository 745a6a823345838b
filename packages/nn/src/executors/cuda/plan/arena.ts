/** Memory that is needed from one launch to another (both included). */
export interface Lifetime {
  readonly bytes: number
  readonly from: number
  readonly to: number
}

/** Where each piece lies, and how much memory that takes in all. */
export interface ArenaPlan {
  readonly offsets: readonly number[]
  readonly bytes: number
}

/** Libraries want their tensors on such borders. */
export const ALIGNMENT = 256

/**
 * Places pieces so that those which are alive at the same time do not overlap: the largest first, each at the lowest place
 * that is free during its whole life.
 */
export function planArena(pieces: readonly Lifetime[]): ArenaPlan {
  const offsets = new Array<number>(pieces.length).fill(0)
  const size = (i: number): number => Math.ceil(pieces[i].bytes / ALIGNMENT) * ALIGNMENT
  const order = [...pieces.keys()].sort((a, b) => pieces[b].bytes - pieces[a].bytes || a - b)
  const placed: number[] = []
  let bytes = 0
  for (const i of order) {
    const { from, to } = pieces[i]
    const around = placed
      .filter((j) => pieces[j].from <= to && pieces[j].to >= from)
      .sort((a, b) => offsets[a] - offsets[b])
    let at = 0
    for (const j of around) {
      if (at + size(i) <= offsets[j]) break
      at = Math.max(at, offsets[j] + size(j))
    }
    offsets[i] = at
    placed.push(i)
    bytes = Math.max(bytes, at + size(i))
  }
  return { offsets, bytes }
}
