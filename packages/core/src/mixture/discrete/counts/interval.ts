/** A law that was tried, with bad rows and without. */
export interface Tried<M> {
  readonly penalty: number
  readonly tried: readonly M[]
  readonly ml: { readonly value: number }
}

/** A mixture of good and bad counts. */
export interface Mixed {
  readonly good: number
  readonly value: number
  readonly likelihood: number
}

/** Half of the likelihood ratio that a 90 % interval admits. */
const ADMITTED = 1.3528
/** And between models: they were fitted to the rows that judge them, so their likelihoods overstate how far apart they are. */
export const BETWEEN = 6
const STEPS = 40

/**
 * A 90 % interval for the share of bad counts: all shares that a law explains, less its penalty, nearly as well as the best
 * explanation is. `likelihoodAt` holds the share of good rows. Where counts hardly tell a law of heavier tails from bad rows, it holds both.
 */
export function countInterval<M extends Mixed>(
  laws: readonly Tried<M>[],
  level: number,
  bestValue: number,
  likelihoodAt: (mixture: M, good: number) => number,
): readonly [number, number] {
  const wanted = bestValue - BETWEEN
  let low = level
  let high = low
  for (const { tried, ml, penalty } of laws) {
    if (ml.value - penalty >= wanted) low = 0
    for (const mixture of tried) {
      if (mixture.value - penalty < wanted) continue
      const own = 1 - mixture.good
      const enough = mixture.likelihood - (ADMITTED * (mixture.value - penalty - wanted)) / BETWEEN
      const admitted = (at: number): boolean => likelihoodAt(mixture, 1 - at) >= enough
      low = Math.min(low, own)
      high = Math.max(high, own)
      if (low > 0 && admitted(Math.max(0, low - 1e-9))) low = admitted(0) ? 0 : edge(admitted, low, 0)
      if (high < 0.5 && admitted(high + 1e-9)) high = edge(admitted, high, 0.5)
    }
  }
  return [low, high]
}

/** Where `admitted` ends between a share that is and one that is not, to a thousandth of the way to the nearest row. */
function edge(admitted: (at: number) => boolean, inside: number, outside: number): number {
  let [yes, no] = [inside, outside]
  for (let k = 0; k < STEPS && Math.abs(yes - no) > 1e-5; k++) {
    const middle = (yes + no) / 2
    if (admitted(middle)) yes = middle
    else no = middle
  }
  return yes
}
