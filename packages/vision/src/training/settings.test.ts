import { expect, it } from 'vitest'
import { ownSettings } from './settings.js'

it('few images are shown as often as it takes: all sets have the steps that a network needs', () => {
  const steps = (network: 'lenet' | 'resnet18', images: number): number => {
    const { epochs, batch } = ownSettings(network, images)
    return epochs * Math.ceil(images / batch)
  }
  for (const images of [10, 60, 120, 300, 1000, 1999, 2000, 4999]) {
    expect(steps('lenet', images)).toBeGreaterThanOrEqual(3000)
    expect(steps('resnet18', images)).toBeGreaterThanOrEqual(600)
  }
})
