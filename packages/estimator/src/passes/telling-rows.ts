import { matrix, type Supervised } from 'rlvi'

/** So many rows that the model gets wrong, and of each category and label. */
const MISTAKEN = 50
const EACH = 3
/** With more numbers than this nobody waits for an answer. */
const MOST_NUMBERS = 4_000_000

/** Such rows of a part of all: their numbers, their labels, and whether the model gets them wrong. */
export interface TellingPart {
  readonly x: readonly Float64Array[]
  readonly y: readonly number[]
  readonly wrong: readonly boolean[]
}

/**
 * Of trusted rows those that keep labels from being told perfectly: some that the model gets wrong, and of every column that is
 * mostly 0, as those of categories are, some rows of each label. What separates these separates all.
 */
export class TellingRows {
  private readonly cols: number
  private readonly classes: number
  private readonly seen: Uint8Array
  private mistaken = 0
  private readonly x: Float64Array[] = []
  private readonly y: number[] = []
  private readonly wrong: boolean[] = []

  constructor(cols: number, classes: number) {
    this.cols = cols
    this.classes = classes
    this.seen = new Uint8Array(cols * classes)
  }

  look({ x, y }: Supervised, i: number, isMistaken: boolean): void {
    const { cols, classes, seen } = this
    const from = i * cols
    let isTelling = isMistaken && this.mistaken++ < MISTAKEN
    const label = y[i]!
    for (let j = 0; j < cols; j++) {
      const at = j * classes + label
      if (seen[at]! >= EACH || x.values[from + j] !== 1) continue
      seen[at]!++
      isTelling = true
    }
    if (!isTelling || this.x.length * cols > MOST_NUMBERS) return
    this.x.push(x.values.slice(from, from + cols))
    this.y.push(label)
    this.wrong.push(isMistaken)
  }

  part(): TellingPart {
    const { x, y, wrong } = this
    return { x, y, wrong }
  }

  /** Rows behind those that are known: what all rows tell is among what their parts do. */
  merge({ x, y, wrong }: TellingPart): void {
    const { cols } = this
    x.forEach((values, k) => {
      const row = { x: { rows: 1, cols, values }, y: Float64Array.of(y[k]!) }
      this.look(row, 0, wrong[k]!)
    })
  }

  get rows(): Supervised {
    const x = matrix(this.x.length, this.cols)
    this.x.forEach((row, i) => {
      x.values.set(row, i * this.cols)
    })
    return { x, y: Float64Array.from(this.y) }
  }
}
