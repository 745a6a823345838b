/**
 * Symmetric label noise: a corrupted label is any of the K labels, each as likely as another, so that its loss is log K.
 * In one of K rows such a label is right by chance, and a row with a right label is a good one.
 */

/** The share of wrong labels among all, given the share of random ones. */
export function wrongLabelShare(random: number, labels: number): number {
  return (random * (labels - 1)) / labels
}

/** P(label is right), given P(label is not random) and its loss under the model. */
export function rightLabelProbability(notRandom: number, loss: number): number {
  return notRandom + (1 - notRandom) * Math.exp(-loss)
}
