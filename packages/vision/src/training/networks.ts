import { lenet, type Model, resnet18, resnet34, resnet50 } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import type { NetworkName } from './settings.js'

/** What each network can look at: LeNet's layers are cut for 28 x 28 pixels, the others take any size from theirs up. */
const smallest: Readonly<Record<NetworkName, number>> = {
  lenet: 28,
  resnet18: 10,
  resnet34: 10,
  resnet50: 32,
}

/** What a network is built for. */
export interface NetworkOptions {
  readonly classes: number
  /** Channels, height and width. */
  readonly image: Model['image']
  /** Rate of the dropout between layers, which USDNL needs. Default 0. */
  readonly dropout?: number
}

/** The network of that name for images of that size. */
export function network(name: NetworkName, { classes, image, dropout = 0 }: NetworkOptions): Model {
  const [channels, height, width] = image
  const least = smallest[name]
  const size = `${channels} x ${height} x ${width}`
  if (name === 'lenet' && (height !== 28 || width !== 28)) {
    const todo = 'choose another `network`, or read the images with `size` 28'
    throw new RlviError('network', 'lenet needs images of 28 x 28 pixels', size, todo)
  }
  if (height < least || width < least) {
    const rule = `${name} needs images of at least ${least} x ${least} pixels`
    throw new RlviError('network', rule, size, 'choose another `network`, or a larger `size`')
  }
  if (classes < 2)
    throw new RlviError(
      'classes',
      'at least two are needed',
      classes,
      'one class leaves nothing to tell apart',
    )
  const options = { classes, image, dropout }
  switch (name) {
    case 'lenet':
      return lenet(options)
    case 'resnet18':
      return resnet18(options)
    case 'resnet34':
      return resnet34(options)
    case 'resnet50':
      return resnet50(options)
  }
}
