/** ResNet18's training step at the paper's batch size for CIFAR-10. */
import { resnet18 } from '@rlvi/nn'
import { compareSteps } from './nn-step.js'

await compareSteps({
  model: resnet18(),
  batch: 128,
  weightDecay: 5e-4,
  steps: 2,
  rounds: 5,
  wanted: 1.2,
  memory: 3.5,
})
