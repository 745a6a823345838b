import { seeded } from 'rlvi/random'
import type { Value } from '../../graph/builder.js'
import { matmul, reshape } from '../../graph/values.js'

/**
 * Images shown with a share of another one of their batch, the first with the last and so on, and their targets mixed alike (mixup: Zhang et al.
 * 2018). No image is shown twice as it was, so that a network takes longer to know its label by heart.
 *
 * The shares of the others, each between 0 and `most`. They depend on the epoch and the batch only, so that a run that is taken up again goes
 * on with the same ones.
 */
export function sharesOfOthers(indices: Int32Array, epoch: number, most: number): Float64Array {
  const shares = new Float64Array(indices.length)
  if (most === 0) return shares
  const random = seeded(indices[0], 'mixing', epoch)
  for (let k = 0; k < shares.length; k++) if (partnerOf(k, shares.length) !== k) shares[k] = most * random()
  return shares
}

function partnerOf(sample: number, batch: number): number {
  return batch - 1 - sample
}

/** The batch's images, mixed as the feed `mixing` says, which is `mixingMatrix`. */
export function mixedImages(x: Value): Value {
  const [batch, ...image] = x.shape
  const mixing = x.graph.feed('mixing', [batch, batch])
  const size = image.reduce((product, length) => product * length, 1)
  return reshape(matmul(mixing, reshape(x, [batch, size])), x.shape)
}

/** What of each image is shown at each place of the batch. */
export function mixingMatrix(shares: Float64Array): Float32Array {
  const batch = shares.length
  const matrix = new Float32Array(batch * batch)
  for (let k = 0; k < batch; k++) {
    matrix[k * batch + partnerOf(k, batch)] = shares[k]
    matrix[k * (batch + 1)] = 1 - shares[k]
  }
  return matrix
}

/** Rows of `width` numbers, one an image, mixed as the images are. */
export function mixedRows(rows: Float32Array, shares: Float64Array, width: number): Float32Array {
  const out = new Float32Array(rows.length)
  for (let k = 0; k < shares.length; k++) {
    const partner = partnerOf(k, shares.length)
    for (let c = 0; c < width; c++) {
      out[k * width + c] = (1 - shares[k]) * rows[k * width + c] + shares[k] * rows[partner * width + c]
    }
  }
  return out
}

/**
 * What a network says of each image alone, in place of what it said of the mixed ones: less what it would say of the other, `alone`, by the other's share.
 * Something remains, since no share is as much as 1.
 */
export function unmixRows(
  said: Float64Array,
  alone: ArrayLike<number>,
  shares: Float64Array,
  width: number,
): void {
  for (let k = 0; k < shares.length; k++) {
    const partner = partnerOf(k, shares.length)
    let total = 0
    for (let c = 0; c < width; c++) {
      const own = Math.max(0, said[k * width + c] - shares[k] * alone[partner * width + c])
      said[k * width + c] = own
      total += own
    }
    for (let c = 0; c < width; c++) said[k * width + c] /= total
  }
}
