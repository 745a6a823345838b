/**
 * The E-step of a small batch. A few dozen rows say little on their level, so the history lends them some rows: the
 * mean weight m maximises  sum log(m e^-l + 1 - m) + b log m + a log(1 - m),  where a and b are bad and good rows lent.
 * It is concave, and with a, b > 0 its maximum lies inside, so that neither collapse nor saturation can happen.
 */

/** Rows that the history lends to a batch. */
const LENT = 20
/** What the level is taken to be before any row: this share, worth so many rows. */
const PRIOR = { level: 0.1, rows: 10 }
/** The history stands for at most so many rows. */
const MEMORY = 2000

/** The level's history, to be changed in place (see `StreamHistory`). */
export interface History {
  rows: number
  bad: number
  squares: number
}

/** The level of the recent past. */
export function usualLevel({ rows, bad }: Readonly<History>): number {
  return (bad + PRIOR.level * PRIOR.rows) / (rows + PRIOR.rows)
}

/** How far a batch is off the usual level as a rule. */
export function usualSpread({ rows, squares }: Readonly<History>): number {
  return Math.sqrt(squares / (rows + PRIOR.rows))
}

/** Takes a batch's level into the history, which fades as rows come in. */
export function remember(history: History, level: number, rows: number): void {
  const kept = MEMORY / (MEMORY + rows)
  history.squares = (history.squares + rows * (level - usualLevel(history)) ** 2) * kept
  history.bad = (history.bad + level * rows) * kept
  history.rows = (history.rows + rows) * kept
}

/** Leaves P(good) in `out`, given losses less those of the reference; returns the level epsilon = 1 - m. */
export function pooledEStep(losses: Float64Array, history: Readonly<History>, out: Float64Array): number {
  const usual = usualLevel(history)
  return lentEStep(losses, LENT * usual, LENT * (1 - usual), out)
}

/** The same with given numbers of bad and good rows lent; with none it is the exact E-step. */
export function lentEStep(losses: Float64Array, bad: number, good: number, out: Float64Array): number {
  const n = losses.length
  for (let i = 0; i < n; i++) out[i] = Math.exp(-Math.max(-700, Math.min(700, losses[i])))
  // EM would do, slowly; Newton's method inside a bracket takes a handful of passes. e is the level, 1 - m.
  let low = 0
  let high = 1
  let e = (bad + 0.1 * n) / (bad + good + n)
  for (let pass = 0; pass < 100; pass++) {
    // The derivative in e times -1, and its slope.
    let value = good / (1 - e) - bad / e
    let slope = good / ((1 - e) * (1 - e)) + bad / (e * e)
    for (let i = 0; i < n; i++) {
      const d = (out[i] - 1) / (out[i] * (1 - e) + e)
      value += d
      slope += d * d
    }
    if (value > 0) high = e
    else low = e
    let next = e - value / slope
    if (!(next > low && next < high)) next = (low + high) / 2
    const moved = Math.abs(next - e)
    e = next
    if (moved <= 1e-12 * Math.min(e, 1 - e) || high - low < 1e-300) break
  }
  for (let i = 0; i < n; i++) out[i] = (out[i] * (1 - e)) / (out[i] * (1 - e) + e)
  return e
}
