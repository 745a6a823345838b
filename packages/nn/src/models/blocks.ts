import type { Value } from '../graph/builder.js'
import { add, relu } from '../graph/values.js'
import { batchNorm } from '../layers/batch-norm.js'
import { conv2d, dropout } from '../layers/layers.js'

/** The size of a ResNet's block, and its dropout. */
export interface BlockOptions {
  readonly channels: number
  readonly stride: number
  /** Rate of the channel dropout on the residual branch. Default 0. */
  readonly dropout?: number
  readonly dropoutAlways?: boolean
}

/** Two 3 x 3 convolutions and a shortcut around them. Dropout acts after the second normalisation. */
export function basicBlock(x: Value, name: string, options: BlockOptions): Value {
  const { channels, stride } = options
  return x.graph.scope(name, () => {
    let h = conv2d(x, 'conv1', { channels, kernel: 3, stride, padding: 1, bias: false })
    h = relu(batchNorm(h, 'bn1'))
    h = conv2d(h, 'conv2', { channels, kernel: 3, padding: 1, bias: false })
    h = dropped(batchNorm(h, 'bn2'), options)
    return relu(add(h, shortcut(x, channels, stride)))
  })
}

/** 1 x 1, 3 x 3, 1 x 1 convolutions, to four times as many channels. Dropout acts before the last one. */
export function bottleneck(x: Value, name: string, options: BlockOptions): Value {
  const { channels, stride } = options
  return x.graph.scope(name, () => {
    let h = conv2d(x, 'conv1', { channels, kernel: 1, bias: false })
    h = relu(batchNorm(h, 'bn1'))
    h = conv2d(h, 'conv2', { channels, kernel: 3, stride, padding: 1, bias: false })
    h = dropped(relu(batchNorm(h, 'bn2')), options)
    h = conv2d(h, 'conv3', { channels: 4 * channels, kernel: 1, bias: false })
    h = batchNorm(h, 'bn3')
    return relu(add(h, shortcut(x, 4 * channels, stride)))
  })
}

function dropped(h: Value, { dropout: rate = 0, dropoutAlways: always = false }: BlockOptions): Value {
  return dropout(h, 'drop', { rate, by: 'channel', always })
}

/** x itself, or a 1 x 1 convolution of it where the shape changes. */
function shortcut(x: Value, channels: number, stride: number): Value {
  if (stride === 1 && x.shape[1] === channels) return x
  return batchNorm(conv2d(x, 'downsample.0', { channels, kernel: 1, stride, bias: false }), 'downsample.1')
}
