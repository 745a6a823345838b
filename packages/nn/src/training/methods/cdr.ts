import { gradients } from '../../autodiff/gradients.js'
import type { Value } from '../../graph/builder.js'
import { type Graph, type Shape, sizeOf } from '../../graph/graph.js'
import { abs, concat, mean, mul, neg, reshape, slice, smallest } from '../../graph/values.js'
import { applyGradients } from '../../optim/minimize.js'
import type { Parameter } from '../../optim/optimizer.js'
import type { Method } from '../method.js'
import { type ForgetOptions, forgetRate, forgetSettings } from './forget.js'
import { network, openStep } from './step.js'

/** Settings of CDR. */
export interface CdrOptions extends ForgetOptions {
  /** A second pass in training mode before each step, as in the released code: running statistics move twice. Default false. */
  readonly secondPass?: boolean
}

/**
 * CDR (Xia et al., 2021): only the critical weights are moved by the data, those with the largest |weight x gradient| over
 * all convolutions and linear layers together; the others only decay.
 */
export function cdr(options: CdrOptions): Method {
  const { secondPass = false } = options
  return {
    name: 'cdr',
    options: { ...forgetSettings('cdr', options), secondPass },
    keeps: 'all',
    report: 'best-validation',
    step: (setup) => {
      const batch = openStep(setup)
      const { graph } = batch
      const net = network(setup, batch)
      const parameters = graph.parameters()
      if (secondPass) graph.shared(() => network(setup, batch))
      const slopes = gradients(
        mean(net.losses),
        parameters.map(({ value }) => value),
      )
      const share = graph.feed('share', [])
      applyGradients(
        parameters,
        critical(parameters, slopes, graph.feed('keep', []), share),
        setup.optimizer,
        setup.groups,
      )
      graph.fetch('losses', net.losses)
      graph.fetch('logits', net.logits)
      return graph.build()
    },
    feeds: (_, { epoch, graph }) => {
      const share = 1 - forgetRate(options, epoch)
      return { share, keep: Math.trunc(share * rankedSize(graph)) }
    },
  }
}

/** Biases and the parameters of batch norm are not ranked. */
function isRanked(shape: Shape): boolean {
  return shape.length === 2 || shape.length === 4
}

function rankedSize({ variables, tensors }: Graph): number {
  return variables
    .filter(({ role, tensor }) => role === 'parameter' && isRanked(tensors[tensor].shape))
    .reduce((total, { tensor }) => total + sizeOf(tensors[tensor].shape), 0)
}

/** The gradients with only the `keep` critical entries left, times their share; biases and batch norm as they are. */
export function critical(
  parameters: readonly Parameter[],
  slopes: readonly Value[],
  keep: Value,
  share: Value,
): readonly Value[] {
  const ranked = [...parameters.keys()].filter((i) => isRanked(slopes[i].shape))
  const importance = ranked.map((i) =>
    reshape(abs(mul(parameters[i].value, slopes[i])), [sizeOf(slopes[i].shape)]),
  )
  const mask = smallest(neg(concat(importance)), keep)
  const out = [...slopes]
  let at = 0
  for (const i of ranked) {
    const { shape } = slopes[i]
    const own = reshape(slice(mask, 0, at, at + sizeOf(shape)), shape)
    out[i] = mul(mul(slopes[i], own), share)
    at += sizeOf(shape)
  }
  return out
}
