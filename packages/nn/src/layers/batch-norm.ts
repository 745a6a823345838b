import { RlviError } from 'rlvi'
import type { Value } from '../graph/builder.js'
import { showShape, sizeOf } from '../graph/graph.js'
import { add, mul, node } from '../graph/values.js'

/** Settings of a batch normalisation. */
export interface BatchNormOptions {
  /** How far the running statistics move towards a batch's. Default 0.1. */
  readonly momentum?: number
  /** Default 1e-5. */
  readonly epsilon?: number
}

/**
 * Normalises each channel of [N, C, ...]: by the batch's own statistics in training, which also moves the running ones,
 * and by the running ones in evaluation. As PyTorch's: the running variance is the unbiased one.
 */
export function batchNorm(x: Value, name: string, options: BatchNormOptions = {}): Value {
  const { graph } = x
  const { momentum = 0.1, epsilon = 1e-5 } = options
  const layer = graph.path(name)
  if (x.shape.length < 2) throw new RlviError(layer, 'x must be [N, C, ...]', showShape(x.shape))
  const channels = [x.shape[1]]
  return graph.inLayer(layer, () => {
    const kept = (part: string, role: 'parameter' | 'statistic', value: number): Value =>
      graph.variable(`${layer}.${part}`, channels, role, { kind: 'fill', value })
    const scale = kept('weight', 'parameter', 1)
    const bias = kept('bias', 'parameter', 0)
    const runningMean = kept('running_mean', 'statistic', 0)
    const runningVariance = kept('running_var', 'statistic', 1)
    if (graph.mode === 'evaluate') {
      return node({ kind: 'batchNormEval', epsilon }, x, scale, bias, runningMean, runningVariance)
    }
    const count = sizeOf(x.shape) / x.shape[1]
    if (count < 2) {
      throw new RlviError(
        layer,
        'needs more than one value per channel',
        showShape(x.shape),
        'use larger batches',
      )
    }
    const [y, mean, variance] = graph.apply({ kind: 'batchNormTrain', epsilon }, [x, scale, bias])
    // From the latest value, so that a network that is applied twice moves its statistics twice.
    const move = (part: string, value: Value, factor: number): void => {
      const variable = `${layer}.${part}`
      graph.assign(variable, add(mul(graph.latest(variable), 1 - momentum), mul(value, momentum * factor)))
    }
    move('running_mean', mean, 1)
    move('running_var', variance, count / (count - 1))
    return y
  })
}
