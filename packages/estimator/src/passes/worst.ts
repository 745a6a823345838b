import type { Supervised } from 'rlvi'

/** A row with what a fit says of it. */
export interface BadRow {
  readonly place: number
  readonly clean: number
  readonly loss: number
  readonly x: Float64Array
  readonly y: number
}

/** Whether a row is trusted less than another one: by P(good), then by the loss, then by its place. */
function isWorse(a: Omit<BadRow, 'x' | 'y'>, b: Omit<BadRow, 'x' | 'y'>): boolean {
  if (a.clean !== b.clean) return a.clean < b.clean
  return a.loss === b.loss ? a.place < b.place : a.loss > b.loss
}

/** The worst rows of all that come by, at most so many. */
export class Worst {
  /** A heap: no row is better than the first. */
  private readonly heap: BadRow[] = []
  private readonly most: number
  /** Rows with a P(good) from here on are not looked at. */
  readonly below: number

  constructor(most: number, below: number) {
    this.most = most
    this.below = below
  }

  look({ x, y }: Supervised, i: number, place: number, clean: number, loss: number): void {
    if (!(clean < this.below)) return
    const { heap, most } = this
    const key = { place, clean, loss }
    if (heap.length === most && (most === 0 || !isWorse(key, heap[0]!))) return
    this.put({ ...key, x: x.values.slice(i * x.cols, (i + 1) * x.cols), y: y[i] ?? 0 })
  }

  /** A row that is one of the worst of some. */
  keep(row: BadRow): void {
    const { heap, most } = this
    if (heap.length < most || (most > 0 && isWorse(row, heap[0]!))) this.put(row)
  }

  private put(row: BadRow): void {
    if (this.heap.length < this.most) this.rise(row)
    else this.sink(row)
  }

  private rise(row: BadRow): void {
    const { heap } = this
    let at = heap.length
    heap.push(row)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isWorse(heap[above]!, row)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = row
  }

  /** In place of the best. */
  private sink(row: BadRow): void {
    const { heap } = this
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isWorse(heap[below]!, heap[below + 1]!)) below++
      if (!isWorse(row, heap[below]!)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = row
  }

  /** Worst first. */
  finish(): readonly BadRow[] {
    return this.heap.toSorted((a, b) => (isWorse(a, b) ? -1 : 1))
  }
}
