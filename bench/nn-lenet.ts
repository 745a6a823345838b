/** LeNet's training step at the paper's batch size for MNIST. */
import { lenet } from '@rlvi/nn'
import { compareSteps } from './nn-step.js'

await compareSteps({ model: lenet(), batch: 32, weightDecay: 1e-3, steps: 100, rounds: 7, wanted: 1 })
