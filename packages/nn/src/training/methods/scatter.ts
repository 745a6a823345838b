/**
 * How scattered wrong labels are, by T[c, y] = P(given y | true c): 0 where each class has one wrong name, 1 where all wrong names are
 * equally likely. Between them by how many wrong names a wrong label has in effect, the exponential of the entropy of the names, of which the
 * mean is taken over wrong labels. Of two classes there is only one wrong name.
 */
export function scatterOf(habits: ArrayLike<number>, classes: number): number {
  if (classes < 3) return 0
  let [wrong, entropy] = [0, 0]
  for (let c = 0; c < classes; c++) {
    let [own, logs] = [0, 0]
    for (let y = 0; y < classes; y++) {
      const p = habits[c * classes + y]
      if (y === c || p === 0) continue
      own += p
      logs += p * Math.log(p)
    }
    if (own === 0) continue
    wrong += own
    entropy += own * Math.log(own) - logs
  }
  if (wrong === 0) return 0
  return Math.min(1, Math.max(0, (Math.exp(entropy / wrong) - 1) / (classes - 2)))
}
