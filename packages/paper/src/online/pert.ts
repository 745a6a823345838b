import type { Draws } from 'rlvi/random'

/** A share that lies between two bounds and most often near a value between them. */
export interface Pert {
  readonly least: number
  readonly mode: number
  readonly most: number
}

/** How many positive labels of a batch are flipped: the paper's law. Its mean is (0 + 4 · .1 + .3) / 6. */
export const corruptionLaw: Pert = { least: 0, mode: 0.1, most: 0.3 }

/** A draw from PERT(least, mode, most), λ = 4: a beta distribution, moved and stretched. */
export function drawPert(stream: Draws, { least, mode, most }: Pert): number {
  const width = most - least
  return least + width * stream.beta(1 + (4 * (mode - least)) / width, 1 + (4 * (most - mode)) / width)
}
