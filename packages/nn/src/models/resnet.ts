import type { Value } from '../graph/builder.js'
import { relu } from '../graph/values.js'
import { batchNorm } from '../layers/batch-norm.js'
import { conv2d, dropout, globalMean, linear, maxPool } from '../layers/layers.js'
import { type BlockOptions, basicBlock, bottleneck } from './blocks.js'
import type { Model } from './model.js'

/** The size of a ResNet, and its dropout. */
export interface ResNetOptions {
  /** Default 10 (ResNet50: 101). */
  readonly classes?: number
  /** Default 3 x 32 x 32 (ResNet50: 3 x 224 x 224). */
  readonly image?: Model['image']
  /** Rate of USDNL's channel dropout inside the blocks. Default 0. */
  readonly dropout?: number
  /** That dropout also in evaluation (the released USDNL). Default false. */
  readonly dropoutAlways?: boolean
}

/** The paper's network for CIFAR-10: stem 3 x 3 without padding or pooling. */
export function resnet18(options: ResNetOptions = {}): Model {
  return smallResNet('resnet18', [2, 2, 2, 2], options)
}

/** The paper's network for CIFAR-100. */
export function resnet34(options: ResNetOptions = {}): Model {
  return smallResNet('resnet34', [3, 4, 6, 3], options)
}

function smallResNet(name: string, depths: readonly number[], options: ResNetOptions): Model {
  const { classes = 10, image = [3, 32, 32] } = options
  return {
    name: named(name, options),
    image,
    classes,
    logits(x) {
      const stem = conv2d(x, 'conv1', { channels: 64, kernel: 3, bias: false })
      const h = stages(relu(batchNorm(stem, 'bn1')), depths, (h, place, _, block) =>
        basicBlock(h, place, withDropout(block, options)),
      )
      return linear(globalMean(h), 'fc', classes)
    },
  }
}

/** The same for ResNet50, whose head has a dropout too. */
export interface ResNet50Options extends ResNetOptions {
  /** Rate of the dropout of pooled features, which every method has on Food-101. Default 0.5. */
  readonly headDropout?: number
}

/** ImageNet's layout, so that pre-trained weights under PyTorch's names fit. */
export function resnet50(options: ResNet50Options = {}): Model {
  const { classes = 101, image = [3, 224, 224], headDropout = 0.5 } = options
  return {
    name: named('resnet50', options),
    image,
    classes,
    logits(x) {
      const stem = conv2d(x, 'conv1', { channels: 64, kernel: 7, stride: 2, padding: 3, bias: false })
      const pooled = maxPool(relu(batchNorm(stem, 'bn1')), 3, { stride: 2, padding: 1 })
      // USDNL drops channels in the first block of each stage only.
      const h = stages(pooled, [3, 4, 6, 3], (h, place, i, block) =>
        bottleneck(h, place, i === 0 ? withDropout(block, options) : block),
      )
      return linear(dropout(globalMean(h), 'drop', { rate: headDropout }), 'fc', classes)
    },
  }
}

/** Four stages, each with twice the channels of the one before and, but for the first, half its size. */
function stages(
  x: Value,
  depths: readonly number[],
  block: (h: Value, place: string, i: number, options: BlockOptions) => Value,
): Value {
  let h = x
  depths.forEach((depth, stage) => {
    for (let i = 0; i < depth; i++) {
      const stride = stage > 0 && i === 0 ? 2 : 1
      h = block(h, `layer${stage + 1}.${i}`, i, { channels: 64 * 2 ** stage, stride })
    }
  })
  return h
}

function withDropout(
  block: BlockOptions,
  { dropout = 0, dropoutAlways = false }: ResNetOptions,
): BlockOptions {
  return { ...block, dropout, dropoutAlways }
}

function named(name: string, options: ResNetOptions): string {
  return (options.dropout ?? 0) > 0 ? `${name}-dropout` : name
}
