import type { FittedLaw } from './laws.js'
import { fitProportions } from './proportions.js'

/** Half of the likelihood ratio that a 90 % interval admits. */
const ADMITTED = 1.3528
/** And between models: they were fitted to the rows that judge them, so their likelihoods overstate how far apart they are. */
const BETWEEN = 6
const STEPS = 40

/**
 * A 90 % interval for the share of bad counts: all shares that a law explains, less its penalty, nearly as well as the best
 * explanation is. Where counts hardly tell a law of heavier tails from bad rows, it holds both.
 */
export function countInterval(
  laws: readonly FittedLaw[],
  level: number,
  bestValue: number,
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
      const admitted = (at: number): boolean =>
        fitProportions(mixture.losses, mixture.counted, { core: mixture.core, good: 1 - at, start: mixture })
          .likelihood >= enough
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
