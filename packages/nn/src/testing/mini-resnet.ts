import { relu } from '../graph/values.js'
import { batchNorm } from '../layers/batch-norm.js'
import { conv2d, globalMean, linear } from '../layers/layers.js'
import { basicBlock } from '../models/blocks.js'
import type { Model } from '../models/model.js'

/** The golden file's small ResNet: a stem, a block that halves, a block that does not. */
export function miniResNet(dropout = 0): Model {
  return {
    name: 'mini-resnet',
    image: [3, 12, 12],
    classes: 10,
    logits(x) {
      let h = relu(batchNorm(conv2d(x, 'stem', { channels: 8, kernel: 3, bias: false }), 'bn'))
      h = basicBlock(h, 'b1', { channels: 16, stride: 2, dropout })
      h = basicBlock(h, 'b2', { channels: 16, stride: 1, dropout })
      return linear(globalMean(h), 'linear', 10)
    },
  }
}

/** The golden file calls shortcuts `sc`. */
export function ourName(name: string): string {
  return name.replace('.sc.', '.downsample.')
}
