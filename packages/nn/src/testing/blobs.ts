import { seeded } from 'rlvi/random'
import { relu } from '../graph/values.js'
import { batchNorm } from '../layers/batch-norm.js'
import { conv2d, dropout, flatten, linear, maxPool } from '../layers/layers.js'
import type { Model } from '../models/model.js'

export interface Blobs {
  readonly x: Float32Array
  readonly labels: Int32Array
  /** 1 where the label was changed. */
  readonly corrupt: Uint8Array
}

const SIDE = 6

/** Small pictures of three classes, a bright corner each, with a share of the labels moved on by one. */
export function blobs(samples: number, seed: number, wrong = 0): Blobs {
  const uniform = seeded(seed, 'blobs')
  const x = new Float32Array(samples * SIDE * SIDE)
  const labels = new Int32Array(samples)
  const corrupt = new Uint8Array(samples)
  for (let i = 0; i < samples; i++) {
    const label = Math.floor(3 * uniform())
    for (let p = 0; p < SIDE * SIDE; p++) x[i * SIDE * SIDE + p] = uniform() - 0.5
    const corner = [0, 3, 18][label]
    for (const p of [0, 1, SIDE, SIDE + 1]) x[i * SIDE * SIDE + corner + p] += 1
    corrupt[i] = uniform() < wrong ? 1 : 0
    labels[i] = (label + corrupt[i]) % 3
  }
  return { x, labels, corrupt }
}

export interface TinyOptions {
  readonly normalised?: boolean
  readonly dropout?: number
}

/** A network for them, with all kinds of layers that methods treat differently. */
export function tiny(options: TinyOptions = {}): Model {
  return {
    name: 'tiny',
    image: [1, SIDE, SIDE],
    classes: 3,
    logits(x) {
      let h = conv2d(x, 'conv', { channels: 4, kernel: 3 })
      if (options.normalised) h = batchNorm(h, 'bn')
      h = dropout(maxPool(relu(h), 2), 'drop', { rate: options.dropout ?? 0, by: 'channel' })
      return linear(relu(linear(flatten(h), 'hidden', 8)), 'out', 3)
    },
  }
}
