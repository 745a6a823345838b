/** Standard errors of a share that its 90 % interval reaches. */
export const REACH = 1.645

/** A share of n labels, less and more what chance may do (Wilson's 90 % interval, which is none too narrow where the share is 0). */
export function around(share: number, n: number): [number, number] {
  const square = REACH ** 2 / n
  const middle = (share + square / 2) / (1 + square)
  const reach = (REACH * Math.sqrt((share * (1 - share)) / n + square / (4 * n))) / (1 + square)
  return [middle - reach, middle + reach]
}
