import { RlviError } from 'rlvi'
import type { GraphBuilder, Value } from '../graph/builder.js'
import { add, mul } from '../graph/values.js'
import type { Optimizer } from './optimizer.js'

/** Settings of Adam. */
export interface AdamOptions {
  /** Default 0.9. */
  readonly beta1?: number
  /** Default 0.999. */
  readonly beta2?: number
  /** Default 1e-8. */
  readonly epsilon?: number
  /** Added to the gradient (not decoupled), as PyTorch's Adam does. Default 0. */
  readonly weightDecay?: number
}

/** Adam, as PyTorch's. */
export function adam(options: AdamOptions = {}): Optimizer {
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0 } = options
  for (const [name, beta] of Object.entries({ beta1, beta2 })) {
    if (!(beta >= 0 && beta < 1)) throw new RlviError('adam', `${name} must be at least 0, below 1`, beta)
  }
  if (!(weightDecay >= 0)) throw new RlviError('adam', 'weightDecay must be at least 0', weightDecay)
  const op = { kind: 'adamStep', beta1, beta2, epsilon, weightDecay } as const
  return {
    name: 'adam',
    update: (parameters, gradients, rate) => {
      if (parameters.length === 0) return
      const { graph } = parameters[0].value
      const c1 = correction(graph, beta1)
      const c2 = correction(graph, beta2)
      parameters.forEach(({ name, value }, i) => {
        const state = [`${name}/first`, `${name}/second`]
        const [m, v] = state.map((moment) =>
          graph.variable(moment, value.shape, 'state', { kind: 'fill', value: 0 }),
        )
        const inputs = [value, m, v, gradients[i], rate, c1, c2]
        const next = graph.inLayer(name, () => graph.apply(op, inputs))
        for (const [j, variable] of [name, ...state].entries()) graph.assign(variable, next[j])
      })
    },
  }
}

/**
 * 1 - beta^t at step t, kept as c <- beta c + (1 - beta): computed as it is written it would lose half of its digits in
 * float32, where beta2^t is close to 1. All groups with one beta share it.
 */
function correction(graph: GraphBuilder, beta: number): Value {
  const name = `adam/correction/${beta}`
  return graph.inLayer('adam', () => {
    const before = graph.shared(() => graph.variable(name, [], 'state', { kind: 'fill', value: 0 }))
    const after = add(mul(before, beta), 1 - beta)
    graph.assign(name, after)
    return after
  })
}
