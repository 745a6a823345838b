import { relu } from '../graph/values.js'
import { conv2d, dropout, flatten, linear, maxPool } from '../layers/layers.js'
import type { Model } from './model.js'

/** The size of a LeNet, and its dropout. */
export interface LeNetOptions {
  /** Default 10. */
  readonly classes?: number
  /** Default 1 x 28 x 28. */
  readonly image?: Model['image']
  /** Rate of the channel dropout after each pooling, as USDNL has it. Default 0. */
  readonly dropout?: number
  /** Dropout also in evaluation (the released USDNL). Default false. */
  readonly dropoutAlways?: boolean
}

/** The paper's network for MNIST, 44 thousand parameters. */
export function lenet(options: LeNetOptions = {}): Model {
  const { classes = 10, image = [1, 28, 28], dropout: rate = 0, dropoutAlways: always = false } = options
  const drop = { rate, by: 'channel', always } as const
  return {
    name: rate > 0 ? 'lenet-dropout' : 'lenet',
    image,
    classes,
    logits(x) {
      let h = maxPool(relu(conv2d(x, 'conv1', { channels: 6, kernel: 5 })), 2)
      h = dropout(h, 'drop1', drop)
      h = maxPool(relu(conv2d(h, 'conv2', { channels: 16, kernel: 5 })), 2)
      h = dropout(h, 'drop2', drop)
      h = relu(linear(flatten(h), 'fc1', 120))
      h = relu(linear(h, 'fc2', 84))
      return linear(h, 'fc3', classes)
    },
  }
}
