import { RlviError } from 'rlvi'
import type { Optimizer } from './optimizer.js'

/** Settings of stochastic gradient descent. */
export interface SgdOptions {
  /** Default 0. */
  readonly momentum?: number
  /** Added to the gradient as weightDecay times the parameter, for all parameters. Default 0. */
  readonly weightDecay?: number
}

/** Stochastic gradient descent with momentum, as PyTorch's. */
export function sgd(options: SgdOptions = {}): Optimizer {
  const { momentum = 0, weightDecay = 0 } = options
  if (!(momentum >= 0 && momentum < 1))
    throw new RlviError('sgd', 'momentum must be at least 0, below 1', momentum)
  if (!(weightDecay >= 0)) throw new RlviError('sgd', 'weightDecay must be at least 0', weightDecay)
  return {
    name: 'sgd',
    update: (parameters, gradients, rate) => {
      parameters.forEach(({ name, value }, i) => {
        const { graph, shape } = value
        const velocity = `${name}/velocity`
        const v = graph.variable(velocity, shape, 'state', { kind: 'fill', value: 0 })
        const op = { kind: 'sgdStep', momentum, weightDecay } as const
        const [nextValue, nextV] = graph.inLayer(name, () => graph.apply(op, [value, v, gradients[i], rate]))
        graph.assign(name, nextValue)
        graph.assign(velocity, nextV)
      })
    },
  }
}
