/** From so many rounds on P(good) goes half of its way only: two answers that lead to each other would take turns for ever. */
const HALFWAY = 30
/** Over so many rounds it is looked whether it moves less. */
const WINDOW = 10
/** If not by this factor, it goes round in a circle: what creeps gets slower. */
const CIRCLE = 0.98
const SHORTER = 0.8

/**
 * What part of its way P(good) goes in each round. A row on the border of two shells may be on this side of it whenever it was
 * on the other the round before; then steps get shorter, so that P(good) ends between its answers, and the levels of all of them
 * are told.
 */
export class Steps {
  private readonly moves: number[] = []
  private readonly levels: number[] = []
  private size = 1
  private circles = false

  /** After a round that moved P(good) by so much on average, to a law of this level. */
  add(moved: number, level: number): void {
    this.moves.push(moved)
    this.levels.push(level)
    if (this.moves.length < HALFWAY) return
    if (!this.circles) {
      this.size = 0.5
      const since = this.moves.slice(HALFWAY)
      this.circles =
        since.length >= 2 * WINDOW &&
        Math.min(...since.slice(-WINDOW)) > CIRCLE * Math.min(...since.slice(-2 * WINDOW, -WINDOW))
    }
    if (this.circles) this.size *= SHORTER
  }

  /** What part of the way the next round goes. */
  get next(): number {
    return this.size
  }

  /** The least and the largest level of a circle; undefined where there is none. */
  get circle(): readonly [number, number] | undefined {
    if (!this.circles) return undefined
    const levels = this.levels.slice(HALFWAY)
    return [Math.min(...levels), Math.max(...levels)]
  }
}
